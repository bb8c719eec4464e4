import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ToolGate } from '#libs/permissions';
import { STANDING_GRANTS, type StandingGrants } from '#libs/sessions';

/** What owners allow for good holds in sessions as well: the contexts know nothing of each other, and meet here. */
@Global()
@Module({})
export class StandingGrantsModule {
  static of(permissions: DynamicModule): DynamicModule {
    return {
      module: StandingGrantsModule,
      imports: [permissions],
      providers: [{ provide: STANDING_GRANTS, inject: [ToolGate], useFactory: standingGrants }],
      exports: [STANDING_GRANTS],
    };
  }
}

const standingGrants =
  (gate: ToolGate): StandingGrants =>
  async (meta, { approvalId, tool, toolInput, agentId, sessionId, cwd }) => {
    const call = { toolName: tool, toolInput, agentId, sessionId, ...(cwd !== undefined && { cwd }) };
    const used = await gate.useGrants(meta, call, approvalId);
    return used && { grants: used.grants, by: used.owner };
  };
