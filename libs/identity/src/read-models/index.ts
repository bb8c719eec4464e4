import type { Projection } from '#libs/projections';
import { credentials } from './credentials.js';
import { principals } from './principals.js';
import { tenants } from './tenants.js';
import { workspaces } from './workspaces.js';

export const identityProjections: readonly Projection[] = [tenants, workspaces, principals, credentials];
