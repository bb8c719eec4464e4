import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader, ApiProduces, ApiResponse } from '@nestjs/swagger';

/** Marks and documents a route that answers with server-sent events. */
export const ApiEventStream = (description: string) =>
  applyDecorators(
    RouteConfig({ opensStream: true }),
    ApiProduces('text/event-stream'),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'Resumes with the event after this one.',
      schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,18})$' },
    }),
    ApiResponse({ status: 200, description, content: { 'text/event-stream': { schema: { type: 'string' } } } }),
  );
