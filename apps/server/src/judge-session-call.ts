import type { CallJudgement } from '#libs/permissions';
import { judgeByWords, type JudgeCall } from '#libs/sessions';

/**
 * Calls of sessions by the tables of programs and tools. A session's grant knows no constraints of hosts or paths, so it stays with the
 * very words of a plain command, and only where the table would offer a standing approval as well.
 */
export const judgeSessionCall =
  (judgement: CallJudgement): JudgeCall =>
  ({ tool, toolInput, cwd }) => {
    const { tier, ladder, effects, grantable, ungrantable } = judgement.judge({
      toolName: tool,
      toolInput,
      agentId: tool,
      ...(cwd !== undefined && { cwd }),
    });
    const words = judgeByWords({ tool, toolInput });
    const why = words.ungrantable ?? (tier === 'safe' || grantable ? undefined : (ungrantable ?? 'It can be allowed once only.'));
    return { tier: ladder, program: words.program, effects, ...(why !== undefined && { ungrantable: why }) };
  };
