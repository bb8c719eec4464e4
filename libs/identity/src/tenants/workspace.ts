import { accept, refuse, type Command, type Decider, type Event, type Recorded } from '#libs/kernel';

// Events: these shapes are stored forever.
/** A workspace of its tenant was opened. `by` is a principal id. */
export type WorkspaceCreated = Event<'WorkspaceCreated', Readonly<{ name: string; by: string; at: string }>>;
/** Nobody acts in this workspace any more; its history stays. */
export type WorkspaceArchived = Event<'WorkspaceArchived', Readonly<{ reason: string; by: string; at: string }>>;
export type WorkspaceEvent = WorkspaceCreated | WorkspaceArchived;

export type CreateWorkspace = Command<'CreateWorkspace', Readonly<{ name: string }>>;
export type ArchiveWorkspace = Command<'ArchiveWorkspace', Readonly<{ reason: string }>>;
export type WorkspaceCommand = CreateWorkspace | ArchiveWorkspace;

export type Workspace =
  | Readonly<{ status: 'none' }>
  | Readonly<{ status: 'active'; name: string; tenantId: string; createdBy: string }>
  | Readonly<{ status: 'archived'; name: string; tenantId: string; createdBy: string; by: string; at: string }>;

const evolve = (state: Workspace, event: Recorded<WorkspaceEvent>): Workspace => {
  switch (event.type) {
    case 'WorkspaceCreated':
      return { status: 'active', name: event.data.name, tenantId: event.meta.tenantId, createdBy: event.data.by };
    case 'WorkspaceArchived':
      return state.status === 'none' ? state : { ...state, status: 'archived', by: event.data.by, at: event.data.at };
    default:
      return state;
  }
};

export const workspaceDecider: Decider<WorkspaceCommand, Workspace, WorkspaceEvent> = {
  category: 'workspace',
  initialState: { status: 'none' },
  decide: (command, state) => {
    const { actor, at } = command.meta;
    switch (command.type) {
      case 'CreateWorkspace':
        if (state.status !== 'none') return refuse('conflict', 'workspace/exists', 'This workspace exists already.');
        return accept({ type: 'WorkspaceCreated', data: { ...command.data, by: actor.id, at } });
      case 'ArchiveWorkspace':
        if (state.status === 'none')
          return refuse('not_found', 'workspace/not-found', 'There is no such workspace here. Check the id and the workspace.');
        if (state.status === 'archived')
          return refuse('conflict', 'workspace/archived', `It was archived by ${state.by} at ${state.at}.`, { by: state.by, at: state.at });
        return accept({ type: 'WorkspaceArchived', data: { ...command.data, by: actor.id, at } });
      default:
        return command satisfies never;
    }
  },
  evolve,
};
