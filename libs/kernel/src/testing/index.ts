export { contractTypes, endOf, noted, readAfter, type Noted } from './contract-events.js';
export { AT, TENANT, WORKSPACE, fold, given, metaOf, principal, recorded } from './decider-specification.js';
export { itDecidesAs } from './decision-table.js';
export { eventStoreContract } from './event-store-contract.js';
