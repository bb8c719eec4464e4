import { type Effect, type Ladder, type Tier } from '../effects.js';

/** What a tool says of itself in the catalog, or an operator of a tool of an MCP server. */
export type ToolClass = 'read' | 'write' | 'unknown' | 'financial' | 'destructive' | 'bulk';

/** `boundary`: what it does goes no further than a proposal, which a person decides, or a lease, which others verify. */
export type DeclaredTool = Readonly<{ class: ToolClass; boundary?: 'proposal' | 'lease' }>;

/** What an MCP server says of its own tool. Believed where it makes things worse; where it makes them better, only of a trusted server. */
export type ToolAnnotations = Readonly<{ readOnlyHint?: boolean; destructiveHint?: boolean }>;

export type Judgement = Readonly<{ tier: Tier; ladder: Ladder; effect: Effect; why: string }>;

export const judgementOf = ({ class: kind, boundary }: DeclaredTool): Judgement => {
  switch (kind) {
    case 'read':
      return { tier: 'safe', ladder: 0, effect: 'read', why: 'only reads' };
    case 'write':
      return boundary
        ? { tier: 'safe', ladder: 1, effect: 'write.workspace', why: `goes no further than a ${boundary}` }
        : { tier: 'dangerous', ladder: 1, effect: 'infra.change', why: 'writes, and nothing stands between it and its effect' };
    case 'unknown':
      return { tier: 'dangerous', ladder: 2, effect: 'unknown', why: 'is not known' };
    case 'financial':
      return { tier: 'dangerous', ladder: 3, effect: 'spend', why: 'moves money' };
    case 'destructive':
      return { tier: 'destructive', ladder: 4, effect: 'destroy.infra', why: 'destroys' };
    case 'bulk':
      return { tier: 'destructive', ladder: 5, effect: 'destroy.infra', why: 'destroys without bound' };
  }
};
