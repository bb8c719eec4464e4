import { linkTo } from '../route.js';
import { Risk } from '../shown/risk.js';
import { Code, Name, Prose } from '../shown/text.js';
import { Ago, Left } from '../shown/time.js';
import { type Item } from './item.js';

/** Cards and requests as rows to choose from. A row only opens one: nothing is decided from a list that may move under the hand. */
export const CardList = ({ items, openId }: { items: Item[]; openId?: string }) => (
  <ol class="rows">
    {items.map((item) => (
      <li key={item.id}>
        <a class="row" href={linkTo('inbox', item.id)} aria-current={item.id === openId ? 'true' : undefined}>
          <span class="row-top">
            <Risk risk={item.risk} />
            {item.pending ? (
              <span class="row-time">
                <Left until={item.until} />
              </span>
            ) : (
              <span class="tag" data-status={item.status}>
                {item.label}
              </span>
            )}
          </span>
          <span class="row-title">
            <Title of={item} />
          </span>
          <span class="row-meta">
            <span>
              {item.who.map((who, i) => (
                <>
                  {i > 0 && ' for '}
                  <Name of={who} />
                </>
              ))}
            </span>
            <span>
              <Prose text={item.where} />
            </span>
            <span>
              <Ago since={item.since} /> ago
            </span>
            {item.stale && item.pending && (
              <span class="tag" data-tone="warn">
                Stale
              </span>
            )}
          </span>
        </a>
      </li>
    ))}
  </ol>
);

export const Title = ({ of: { title, code } }: { of: Item }) => (code ? <Code text={title} /> : <Prose text={title} />);
