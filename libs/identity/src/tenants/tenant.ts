import { accept, derivedId, refuse, SYSTEM_ID, type Command, type Decider, type Event, type Recorded } from '#libs/kernel';

/** The tenant that a new installation starts with; its operators alone found further ones. */
export const ROOT_TENANT_ID = derivedId('tenant', 'root');

// Events: these shapes are stored forever.
/** A tenant was founded, by a principal of the tenant `foundedIn`. A tenant is never deleted: its history is evidence. */
export type TenantCreated = Event<'TenantCreated', Readonly<{ name: string; foundedIn: string; by: string; at: string }>>;

/** `foundedIn` is the home tenant of who asks, set by the server. */
export type CreateTenant = Command<'CreateTenant', Readonly<{ name: string; foundedIn: string }>>;
export type Tenant = Readonly<{ status: 'none' }> | Readonly<{ status: 'active'; name: string; foundedIn: string }>;

export const tenantDecider: Decider<CreateTenant, Tenant, TenantCreated> = {
  category: 'tenant',
  initialState: { status: 'none' },
  decide: ({ data, meta }, state) => {
    if (state.status !== 'none') return refuse('conflict', 'tenant/exists', 'This tenant exists already.');
    if (meta.actor.id !== SYSTEM_ID && data.foundedIn !== ROOT_TENANT_ID)
      return refuse('forbidden', 'tenant/not-root', 'Only an operator of the root tenant founds tenants.');
    return accept({ type: 'TenantCreated', data: { ...data, by: meta.actor.id, at: meta.at } });
  },
  evolve: (state: Tenant, event: Recorded<TenantCreated>) =>
    event.type === 'TenantCreated' ? { status: 'active', name: event.data.name, foundedIn: event.data.foundedIn } : state,
};
