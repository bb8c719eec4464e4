import { JsonObject, OneOf, Sha256, Text } from '#libs/http';
import { decisionNames, type DecisionName } from './entry.js';

const path = { max: 4_096, optional: true };

export class ClassifyDto {
  @Text({ max: 200 }) toolName!: string;
  @JsonObject({ maxBytes: 262_144 }) toolInput!: Record<string, unknown>;
  @Text({ max: 200, description: 'What you call the agent. An id of a principal has to be your own.' }) agentId!: string;
  @Text({ max: 200, optional: true }) sessionId?: string;
  @Text({ ...path, description: 'Absolute; where the call will run.' }) cwd?: string;
  @Text({ max: 100, optional: true, description: 'What will run a command; anything but a POSIX shell is unsupported.' }) shell?: string;
  @JsonObject({
    optional: true,
    description: '`workspace` and `home`, absolute paths, and the `annotations` of an MCP tool are read; the rest is for you.',
  })
  context?: Record<string, unknown>;
  @Text({ max: 100, optional: true, description: 'The request that was made for this very call: redeems its approval.' })
  requestId?: string;
}

export class DecisionDto {
  @Text({ max: 100 }) requestId!: string;
  @OneOf(decisionNames) decision!: DecisionName;
  @Text({ min: 0, max: 16_384, optional: true, description: 'Reaches the agent as it is.' }) feedback?: string;
  @Text({
    max: 65_536,
    optional: true,
    description: 'What may run instead: a command, or for other tools the whole input, a JSON object as text.',
  })
  modifiedInput?: string;
  @Sha256({ optional: true, description: 'That of the request as you were shown it: where it is another by now, nothing is decided.' })
  presentedDigest?: string;
}

export class PendingQuery {
  @Text({ max: 200, optional: true, description: 'Only of this agent.' }) agentId?: string;
}

export class CancellationQuery {
  @Text({ min: 0, max: 500, optional: true, description: 'Why; recorded with it.' }) reason?: string;
}

export class PreviewDto {
  @Text({ max: 100, description: 'A request of yours.' }) requestId!: string;
}
