/** The database roles. Policies name them; a login of another name works as a member of one. */
export const roles = { owner: 'workbench_owner', projector: 'workbench_projector', app: 'workbench_app' } as const;
