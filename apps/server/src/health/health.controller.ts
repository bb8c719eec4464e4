import { Controller, Get, Inject, Logger } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError, refusal } from '#libs/kernel';
import { Drain, Problems } from '#libs/http';
import { Public } from '#libs/identity';
import { HEALTH_CHECKS, runChecks, type HealthCheck } from './health-check.js';

@ApiTags('health')
@Controller('health')
@Public()
export class HealthController {
  private readonly logger = new Logger('Health');

  constructor(
    @Inject(HEALTH_CHECKS) private readonly checks: readonly HealthCheck[],
    private readonly drain: Drain,
  ) {}

  @Get('live')
  @ApiOperation({
    summary: 'Whether this process runs',
    description: 'It asks nobody else: a process is not restarted for what others suffer.',
  })
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Whether this server may be sent requests',
    description:
      'Needs the event store, the migrations, and read models within 30 s of the events. A faulted projection shows as degraded.',
  })
  @Problems('server/not-ready')
  async ready() {
    const checks = await runChecks(this.checks, (name, error) =>
      this.logger.warn(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    );
    const statuses = Object.values(checks).map(({ status }) => status);
    if (this.drain.stopping || statuses.includes('failed'))
      throw new DomainError(
        refusal(
          'unavailable',
          'server/not-ready',
          this.drain.stopping ? 'This server is being stopped.' : 'A part is not ready; checks says which.',
          {
            checks,
            retryAfter: 2,
          },
        ),
      );
    return { status: statuses.includes('degraded') ? 'degraded' : 'ok', checks };
  }
}
