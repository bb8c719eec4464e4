import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Allow } from '#libs/identity';
import type { Principal } from '#libs/kernel';
import { TicketAnswer } from '../answers.js';
import { Tickets } from './tickets.js';

@ApiTags('permissions')
@Controller('api/ws-tickets')
export class TicketsController {
  constructor(private readonly tickets: Tickets) {}

  @Post()
  @Allow('permission.decide')
  @ApiOperation({
    summary: 'A ticket for /ws/permissions',
    description:
      'For one socket, within 30 seconds. Send it as a subprotocol beside `workbench.permissions`, never in the URL: new WebSocket("/ws/permissions?userId=…", ["workbench.permissions", "workbench.ticket.…"]).',
  })
  @ApiCreatedResponse({ type: TicketAnswer })
  issue(@Actor() actor: Principal): Promise<TicketAnswer> {
    return this.tickets.issue(actor);
  }
}
