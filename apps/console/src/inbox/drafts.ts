const key = (confirmationId: string): string => `workbench.reason.${confirmationId}`;

/** What someone typed as a reason, kept for this tab until it is sent: over an error, a reload, or an ended session. */
export const draftOf = (confirmationId: string): string => sessionStorage.getItem(key(confirmationId)) ?? '';
export const saveDraft = (confirmationId: string, reason: string): void => {
  if (reason === '') sessionStorage.removeItem(key(confirmationId));
  else sessionStorage.setItem(key(confirmationId), reason);
};
