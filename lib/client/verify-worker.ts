import { ownScope, serveVerifier } from './serve-verifier';

serveVerifier(ownScope);
