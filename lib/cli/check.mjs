import { bootstrap } from './bootstrap/bootstrap.mjs';
import { runChecks } from './checks/run-checks.mjs';

// `npm run check`: types, lint, imports, unused files and packages.
await bootstrap();
const { failed } = await runChecks();
process.exit(failed === 0 ? 0 : 1);
