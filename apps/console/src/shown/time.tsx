import { useNow } from '../clock.js';
import { age, left, moment } from '../words.js';

const absolute = (time: string): string => new Date(time).toLocaleString();

export const Ago = ({ since }: { since: string }) => (
  <time dateTime={since} title={absolute(since)}>
    {age(useNow() - Date.parse(since))}
  </time>
);

/** Counts down; the colour warns below five minutes and again below one, and the words say so at the end. */
export const Left = ({ until }: { until: string }) => {
  const ms = Date.parse(until) - useNow();
  return (
    <time class="left" dateTime={until} title={absolute(until)} data-urgency={ms < 60_000 ? 'now' : ms < 300_000 ? 'soon' : undefined}>
      {left(ms)}
    </time>
  );
};

export const At = ({ time }: { time: string }) => (
  <time dateTime={time} title={absolute(time)}>
    {moment(time)}
  </time>
);
