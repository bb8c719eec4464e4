import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  answer,
  ApiPage,
  Digits,
  id,
  IdParam,
  ListOf,
  OneOf,
  Page,
  pageOf,
  Problems,
  readCursor,
  Sha256,
  shape,
  Text,
  time,
} from '#libs/http';
import { Actor, Allow, Meta } from '#libs/identity';
import { DomainError, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import {
  JudgedAnswer,
  RenewedAnswer,
  StatusAnswer,
  VerificationBriefAnswer,
  VerificationClaimedAnswer,
  VerificationItem,
} from '../answers.js';
import { leaseIn } from '../leases/lease-answer.js';
import { ReleaseDto, RenewDto } from '../leases/leases.controller.js';
import { TasksQuery } from '../read-models/tasks.js';
import { Artifacts } from '../reports/artifacts.js';
import { ChangedPathDto, EvidenceDto, FindingDto, OBJECT_ID, plain } from '../reports/fields.js';
import { HandleTask } from '../task.handler.js';
import { lineOf } from '../task-view.js';
import { Tasks } from '../tasks.js';
import { workOf } from '../work-brief.js';
import type { RecordVerdict } from './verdict.js';

export class ClaimVerificationDto {
  @Text({ max: 200, optional: true }) model?: string;
  @Text({ max: 200, optional: true }) conversationId?: string;
}

export class VerdictDto {
  @Digits() fence!: string;
  @Sha256({ description: 'Of the report that you judged.' }) reportDigest!: string;
  @OneOf(['verified', 'rejected', 'unverifiable']) verdict!: RecordVerdict['data']['verdict'];
  @ListOf(() => FindingDto, { max: 500 }) findings!: FindingDto[];
  @ListOf(() => EvidenceDto, { max: 200 }) evidence!: EvidenceDto[];
  @ListOf(() => ChangedPathDto, { max: 2_000, description: 'As you computed them from git, base to reported commit.' })
  changedPaths!: ChangedPathDto[];
  @Text({ max: 64, pattern: OBJECT_ID, description: 'Git tree of the reported commit.' }) tree!: string;
}

type Cursor = Readonly<{ queuedAt: string; taskId: string }>;
const cursorRule = shape({ queuedAt: time(), taskId: id() });

@ApiTags('verifications')
@Controller('api/verifications')
export class VerificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly query: TasksQuery,
    private readonly tasks: Tasks,
    private readonly artifacts: Artifacts,
  ) {}

  @Get()
  @Allow('verification.read')
  @ApiPage(VerificationItem)
  @ApiOperation({
    summary: 'Reports to judge, and those being judged',
    description: 'Oldest first. Whether you are independent is told at the claim.',
  })
  async list(@Query() { cursor, limit }: Page, @Actor() actor: Principal) {
    const after = readCursor<Cursor>(cursor, cursorRule);
    const statuses = ['reported', 'unverifiable', 'verifying'] as const;
    const rows = await this.query.list(actor, { statuses, limit: limit + 1, ...(after && { after }) });
    return pageOf(
      rows.map(({ task }) => ({ ...lineOf(task), reportDigest: task.report?.reportDigest, reportedAt: task.report?.at })),
      limit,
      (index): Cursor => ({ queuedAt: rows[index]!.queuedAt, taskId: rows[index]!.taskId }),
    );
  }

  @Post(':taskId/claim')
  @HttpCode(200)
  @Allow('verification.claim')
  @ApiOkResponse({ type: VerificationClaimedAnswer })
  @ApiOperation({
    summary: 'Take a report to judge',
    description: 'For someone who shares no lineage with anyone who leased or reported it; an unverifiable one for a human.',
  })
  @Problems(
    'task/not-found',
    'verification/not-reported',
    'verification/taken',
    'verification/decided',
    'verification/not-independent',
    'verification/human-only',
  )
  async claim(
    @Param('taskId', IdParam) taskId: string,
    @Body() body: ClaimVerificationDto,
    @Actor() actor: Principal,
    @Meta() meta: CommandMeta,
  ) {
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'ClaimVerification', data: { ...body }, meta }));
    const { task } = await this.tasks.show(actor, taskId);
    const lease = leaseIn(handled);
    return answer(handled, {
      lease,
      fence: lease.fence,
      expiresAt: lease.expiresAt,
      reportDigest: task.report?.reportDigest,
      ...workOf(task),
    });
  }

  @Get(':taskId/brief')
  @Allow('verification.read')
  @ApiOkResponse({ type: VerificationBriefAnswer })
  @ApiOperation({ summary: 'What there is to judge', description: 'The scope that was accepted, and the report as it was handed in.' })
  @Problems('task/not-found', 'verification/not-reported')
  async brief(@Param('taskId', IdParam) taskId: string, @Actor() actor: Principal) {
    const { task } = await this.tasks.show(actor, taskId);
    if (!task.report)
      throw new DomainError(refusal('conflict', 'verification/not-reported', `There is no report to verify; the task is ${task.status}.`));
    return { taskId, status: task.status, fence: task.fence, reportDigest: task.report.reportDigest, ...workOf(task) };
  }

  @Post(':taskId/renew')
  @HttpCode(200)
  @Allow('verification.hold')
  @ApiOkResponse({ type: RenewedAnswer })
  @ApiOperation({ summary: 'Show that you are alive' })
  @Problems('task/not-found', 'lease/lost', 'lease/unknown-fence', 'lease/not-holder', 'lease/other-kind')
  async renew(@Param('taskId', IdParam) taskId: string, @Body() { fence }: RenewDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(
      new HandleTask(taskId, { type: 'RenewLease', data: { fence, kind: 'verification' }, meta }),
    );
    const lease = leaseIn(handled);
    return answer(handled, { lease, expiresAt: lease.expiresAt });
  }

  @Post(':taskId/release')
  @HttpCode(200)
  @Allow('verification.hold')
  @ApiOkResponse({ type: StatusAnswer })
  @ApiOperation({ summary: 'Leave it to another verifier' })
  @Problems('task/not-found', 'lease/lost', 'lease/unknown-fence', 'lease/not-holder', 'lease/other-kind')
  async release(@Param('taskId', IdParam) taskId: string, @Body() { fence, reason }: ReleaseDto, @Meta() meta: CommandMeta) {
    const handled = await this.commands.execute(
      new HandleTask(taskId, { type: 'ReleaseLease', data: { fence, kind: 'verification', reason }, meta }),
    );
    return answer(handled, { status: handled.state.status });
  }

  @Post(':taskId/verdict')
  @HttpCode(200)
  @Allow('verification.hold')
  @ApiOkResponse({ type: JudgedAnswer })
  @ApiOperation({
    summary: 'Judge the report',
    description:
      'Store the outputs of your checks as artifacts first. What your evidence counts as follows from your credential: human, server_rerun, or self_reported.',
  })
  @Problems(
    'task/not-found',
    'lease/lost',
    'lease/unknown-fence',
    'lease/not-holder',
    'lease/other-kind',
    'verdict/other-report',
    'verdict/paths-differ',
    'verdict/evidence-missing',
    'verdict/no-findings',
    'verdict/too-large',
    'verification/not-independent',
  )
  async verdict(@Param('taskId', IdParam) taskId: string, @Body() body: VerdictDto, @Actor() actor: Principal, @Meta() meta: CommandMeta) {
    const readable = await this.artifacts.stored(
      actor,
      body.evidence.map(({ outputSha256 }) => outputSha256),
    );
    const data = { ...plain(body), readable };
    const handled = await this.commands.execute(new HandleTask(taskId, { type: 'RecordVerdict', data, meta }));
    return answer(handled, { taskId, status: handled.state.status, verdict: body.verdict });
  }
}
