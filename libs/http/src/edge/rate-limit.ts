import { createHash } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { DomainError, refusal } from '#libs/kernel';
import type { EdgeOptions } from './options.js';

const MINUTE = 60_000;

/**
 * Counts requests per credential, by its hash, else per address; and per address over all its credentials, since a guessed
 * credential would otherwise open a count of its own. Counts are of this process.
 */
export const limitRates = async (instance: FastifyInstance, { requestsPerMinute, uncounted, credentialOf }: EdgeOptions): Promise<void> => {
  if (requestsPerMinute === 0) return;
  await instance.register(rateLimit, { global: false, cache: 20_000 });
  const byAddress = instance.createRateLimit({ max: requestsPerMinute * 10, timeWindow: MINUTE, keyGenerator: ({ ip }) => ip });
  const byCredential = instance.createRateLimit({
    max: requestsPerMinute,
    timeWindow: MINUTE,
    keyGenerator: (request) => {
      const credential = credentialOf(request);
      return credential === undefined ? request.ip : createHash('sha256').update(credential).digest('base64url');
    },
  });
  const exempt = new Set(uncounted);
  instance.addHook('onRequest', async (request) => {
    if (exempt.has(request.url)) return;
    for (const limiter of [byAddress, byCredential]) {
      const count = await limiter(request);
      if (!count.isAllowed && count.isExceeded)
        throw new DomainError(
          refusal('too_many', 'request/too-many', `Too many requests. Wait ${count.ttlInSeconds} s.`, { retryAfter: count.ttlInSeconds }),
        );
    }
  });
};
