import { Module, type DynamicModule } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Drain } from '#libs/http';
import { EventStore } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { Feed, type DeadlineSource, type Projection, type Reactor } from '#libs/projections';
import { ApprovalsController } from './approvals.controller.js';
import { judgeByWords, type JudgeCall } from './approvals/judged-call.js';
import './problems.js';
import { sessions, SessionsQuery } from './read-models/sessions.js';
import { SessionControl } from './session-control.js';
import { sessionDeadlines } from './session-deadlines.js';
import { ConversationHandler, HandleConversation } from './conversations/conversation.handler.js';
import { STANDING_GRANTS, type StandingGrants } from './grants/standing-grants.js';
import { whenSessionCancelled } from './when-session-cancelled.reactor.js';
import { HandleSession, SessionHandler } from './session.handler.js';
import { SessionSettings } from './session-settings.js';
import { SessionsController } from './sessions.controller.js';

@Module({})
export class SessionsModule {
  /** `judge` says what a call is before anybody is asked about it. */
  static forRoot(settings = new SessionSettings(), judge: JudgeCall = judgeByWords): DynamicModule {
    return {
      module: SessionsModule,
      imports: [CqrsModule],
      controllers: [SessionsController, ApprovalsController],
      providers: [
        ConversationHandler,
        SessionHandler,
        SessionsQuery,
        {
          provide: SessionControl,
          inject: [EventStore, CommandBus, Clock, Feed, Drain, SessionsQuery, { token: STANDING_GRANTS, optional: true }],
          useFactory: (
            store: EventStore,
            commands: CommandBus,
            clock: Clock,
            feed: Feed,
            drain: Drain,
            query: SessionsQuery,
            standing?: StandingGrants,
          ) =>
            new SessionControl({
              store,
              execute: (id, command) => commands.execute(new HandleSession(id, command)),
              converse: (id, command) => commands.execute(new HandleConversation(id, command)),
              standing,
              recent: (owner, runnerId, since) => query.recent(owner, runnerId, since),
              now: () => clock.now(),
              judge,
              settings,
              listen: (sessionId, ring) => feed.subscribe((items) => void (items.some(({ subject }) => subject === sessionId) && ring())),
              stopping: () => drain.stopping,
            }),
        },
      ],
      exports: [SessionControl, SessionsQuery],
    };
  }
}

/** What hangs on this context's events; the process that works (not every API server) runs them. */
export const sessionDeadlineSources = (commands: CommandBus): DeadlineSource[] => [sessionDeadlines(commands)];
export const sessionReactors = (control: SessionControl): Reactor[] => [whenSessionCancelled(control)];
export const sessionProjections: Projection[] = [sessions];
