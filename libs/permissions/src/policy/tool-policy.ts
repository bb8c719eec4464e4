import { readFileSync } from 'node:fs';
import { PolicySet, readPolicies, type Policies, type Ruling } from '#libs/identity';
import type { Principal } from '#libs/kernel';
import { tierOf, type Effect, type Ladder, type Tier } from '../effects.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
export const toolSchema: string = read('./tools.cedarschema');
export const toolPolicies: Policies = readPolicies(read('./tools.cedar'));

/** What policies are asked about: a call as it was judged, and what its owner has said. */
export type CallFacts = Readonly<{
  toolName: string;
  tier: Tier;
  ladder: Ladder;
  effects: readonly Effect[];
  /** Destructive effects that the owner has enabled for now. */
  enabled: readonly Effect[];
  granted?: boolean;
  approved?: boolean;
  unshowable?: boolean;
}>;

/** `block`: neither may it run, nor is anybody asked. `policies` determined this; `policyVersion` names all that were in force. */
export type Disposal = Readonly<{ outcome: 'run' | 'ask' | 'block'; policies: readonly string[]; policyVersion: string }>;

/** The policies of tool calls. */
export class ToolPolicy {
  private readonly set: PolicySet;

  constructor(policies: Policies = toolPolicies) {
    this.set = new PolicySet(toolSchema, policies);
  }

  get version(): string {
    return this.set.version;
  }

  /** What becomes of this call. An error in any policy blocks it. */
  dispose(actor: Principal, facts: CallFacts): Disposal {
    const run = this.ask('run', actor, facts);
    if (run.allowed) return this.disposal('run', run);
    const ask = this.ask('ask', actor, facts);
    return this.disposal(ask.allowed ? 'ask' : 'block', ask);
  }

  private ask(action: 'run' | 'ask', actor: Principal, { toolName, tier, ladder, effects, enabled, ...said }: CallFacts): Ruling {
    const principal = { type: 'Workbench::Agent', id: actor.id };
    return this.set.ask({
      principal,
      action: { type: 'Workbench::Action', id: action },
      resource: { type: 'Workbench::Tool', id: toolName },
      context: {
        tier,
        ladder,
        effects: [...effects],
        destructive: effects.filter((effect) => tierOf(effect) === 'destructive'),
        enabled: [...enabled],
        granted: said.granted === true,
        approved: said.approved === true,
        unshowable: said.unshowable === true,
      },
      entities: [{ uid: principal, attrs: { roles: [...actor.roles] }, parents: [] }],
    });
  }

  private disposal(outcome: Disposal['outcome'], { policies }: Ruling): Disposal {
    return { outcome, policies, policyVersion: this.version };
  }
}
