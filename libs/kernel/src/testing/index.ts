export { AT, TENANT, WORKSPACE, fold, given, metaOf, principal, recorded } from './decider-specification.js';
