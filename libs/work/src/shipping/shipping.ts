import { accept, refuse, type Command, type Decision } from '#libs/kernel';
import type { KnownTask } from '../task.js';
import type { TaskEvent } from '../task-events.js';

/** `tree`: the git tree of `revision`, read by the server where it can reach the repository. */
export type ShipWork = Command<'ShipWork', Readonly<{ revision: string; url?: string; tree?: string }>>;
/** The product's own, when the statement is signed. */
export type IssueReceipt = Command<
  'IssueReceipt',
  Readonly<{ receiptId: string; envelope: Readonly<Record<string, unknown>>; keyId: string; statementDigest: string }>
>;
export type ShippingCommand = ShipWork | IssueReceipt;

export const shipWork = ({ data, meta }: ShipWork, state: KnownTask): Decision<TaskEvent> => {
  if (state.status === 'shipped')
    return refuse('conflict', 'ship/shipped', `This was shipped at ${state.at} as ${state.revision}.`, {
      revision: state.revision,
      by: state.by,
      at: state.at,
    });
  if (state.status !== 'verified')
    return refuse('conflict', 'ship/not-verified', `Only work with a standing verdict can be shipped; this task is ${state.status}.`, {
      status: state.status,
    });
  const { report, tree, facts } = state;
  if (data.revision !== report.revision && data.tree !== tree)
    return refuse(
      'conflict',
      'ship/revision-mismatch',
      `Ship ${report.revision}, which was verified, or a commit with the identical tree.`,
      {
        verifiedRevision: report.revision,
        verifiedTree: tree,
        tree: data.tree ?? null,
      },
    );
  return accept({
    type: 'WorkShipped',
    data: {
      revision: data.revision,
      tree,
      reportDigest: report.reportDigest,
      scopeDigest: facts.scopeDigest,
      ...(data.url && { url: data.url }),
      by: meta.actor.id,
      at: meta.at,
    },
  });
};

export const issueReceipt = ({ data, meta }: IssueReceipt, state: KnownTask): Decision<TaskEvent> => {
  if (meta.actor.kind !== 'service') return refuse('forbidden', 'receipt/service-only', 'Receipts are issued by the product itself.');
  if (state.status !== 'shipped')
    return refuse('conflict', 'receipt/not-shipped', `Only shipped work has a receipt; this task is ${state.status}.`, {
      status: state.status,
    });
  if (state.receiptId !== undefined)
    return refuse('conflict', 'receipt/issued', `Receipt ${state.receiptId} was issued already.`, { receiptId: state.receiptId });
  return accept({ type: 'ReceiptIssued', data: { ...data, at: meta.at } });
};
