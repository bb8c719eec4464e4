import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, Problems } from '#libs/http';
import { Allow, Meta } from '#libs/identity';
import type { CommandMeta } from '#libs/kernel';
import { ReportedAnswer } from '../answers.js';
import { assertSameFence, LeaseIdParam, type LeaseRef } from '../leases/lease-id.js';
import { HandleTask } from '../task.handler.js';
import { plain, ReportDto } from './fields.js';

@ApiTags('leases')
@Controller('api/leases')
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/report')
  @HttpCode(200)
  @Allow('lease.hold')
  @ApiOkResponse({ type: ReportedAnswer })
  @ApiOperation({
    summary: 'Hand in the work, and with it the lease',
    description:
      'Artifacts, changed paths and evidence, which count as self-reported. An independent verifier judges them by git and by running the checks.',
  })
  @Problems(
    'lease/not-found',
    'task/not-found',
    'lease/lost',
    'lease/unknown-fence',
    'lease/not-holder',
    'lease/other-kind',
    'report/out-of-scope',
    'report/no-artifact',
    'report/artifact-place',
    'report/too-large',
  )
  async report(@Param('id', LeaseIdParam) ref: LeaseRef, @Body() body: ReportDto, @Meta() meta: CommandMeta) {
    assertSameFence(ref, body.fence);
    const handled = await this.commands.execute(new HandleTask(ref.taskId, { type: 'ReportWork', data: plain(body), meta }));
    const reportDigest = handled.events.find((event) => event.type === 'WorkReported')?.data.reportDigest;
    return answer(handled, { taskId: ref.taskId, status: 'reported', reportDigest });
  }
}
