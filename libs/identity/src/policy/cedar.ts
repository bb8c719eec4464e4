import './wasm-calls.js';
import {
  policySetTextToParts,
  policyToJson,
  preparsePolicySet,
  statefulIsAuthorized,
  validate,
  type Context,
  type EntityJson,
  type EntityUid,
} from '@cedar-policy/cedar-wasm/nodejs';
import { digestOf } from '#libs/kernel';

/** The text of each policy by its `@id`. */
export type Policies = Readonly<Record<string, string>>;

export type Question = Readonly<{ principal: EntityUid; action: EntityUid; resource: EntityUid; context: Context; entities: EntityJson[] }>;
/** `policies` are the ids of those that determined it, sorted: the proof. None where nothing permits it. */
export type Ruling = Readonly<{ allowed: boolean; policies: readonly string[]; errors: readonly string[] }>;

/** Splits a file of policies. Throws where it does not parse, or a policy has no `@id` or that of another. */
export const readPolicies = (text: string): Policies => {
  const parts = policySetTextToParts(text);
  if (parts.type === 'failure') throw new Error(`Policies do not parse: ${parts.errors.map(({ message }) => message).join('; ')}`);
  const policies: Record<string, string> = {};
  for (const policy of parts.policies) {
    const json = policyToJson(policy);
    const id = json.type === 'success' ? json.json.annotations?.['id'] : undefined;
    if (!id) throw new Error(`A policy has no @id: ${policy}`);
    if (policies[id] !== undefined) throw new Error(`Two policies have the @id ${id}.`);
    policies[id] = policy;
  }
  return policies;
};

/** What is wrong with policies by their schema, a sentence each; empty where nothing is. */
export const faultsOf = (schema: string, policies: Policies): string[] => {
  const answer = validate({ schema, policies: { staticPolicies: { ...policies } }, validationSettings: { mode: 'strict' } });
  if (answer.type === 'failure') return answer.errors.map(({ message }) => message);
  return [...answer.validationErrors, ...answer.validationWarnings].map(({ policyId, error }) => `${policyId}: ${error.message}`);
};

/** Policies that are in force: parsed and held against their schema once, asked often. */
export class PolicySet {
  /** 16 hex digits that change whenever a policy or the schema does. */
  readonly version: string;
  private readonly name: string;

  constructor(schema: string, policies: Policies) {
    this.version = digestOf({ schema, policies }).slice(0, 16);
    this.name = this.version;
    const faults = faultsOf(schema, policies);
    if (faults.length > 0) throw new Error(`Policies cannot be used: ${faults.join('; ')}`);
    preparsePolicySet(this.name, { staticPolicies: { ...policies } });
  }

  /** Default deny; whatever goes wrong while a policy is asked is a deny as well, whatever the others say. */
  ask(question: Question): Ruling {
    try {
      // Without the schema, which the policies have been held against: questions are typed here, and half the time is theirs.
      const answer = statefulIsAuthorized({ ...question, preparsedPolicySetId: this.name });
      if (answer.type === 'failure') return denied(answer.errors.map(({ message }) => message));
      const { decision, diagnostics } = answer.response;
      if (diagnostics.errors.length > 0) return denied(diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`));
      return { allowed: decision === 'allow', policies: [...diagnostics.reason].sort(), errors: [] };
    } catch (error) {
      return denied([error instanceof Error ? error.message : String(error)]);
    }
  }
}

const denied = (errors: readonly string[]): Ruling => ({ allowed: false, policies: [], errors });
