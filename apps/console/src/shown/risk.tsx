import { capital, spoken } from '../words.js';

/** The risk class in words, with its rung on the ladder of five. */
export const Risk = ({ risk }: { risk: { class: string; level: number } }) => (
  <span class="risk" data-level={Math.min(5, Math.max(0, Math.round(risk.level)))}>
    <svg viewBox="0 0 19 10" width="19" height="10" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((rung) => (
        <rect
          key={rung}
          class={rung <= risk.level ? 'on' : 'off'}
          x={(rung - 1) * 4}
          y={8 - rung * 1.6}
          width="3"
          height={2 + rung * 1.6}
          rx="0.5"
        />
      ))}
    </svg>
    {capital(spoken(risk.class))}
    <span class="unseen">, risk {risk.level} of 5</span>
  </span>
);
