import { benchEngine } from './engine';
import { benchPlane } from './plane';

const areas: Readonly<Record<string, (size: { readonly seconds?: number }) => Promise<object>>> = { engine: benchEngine, plane: benchPlane };

const [name = '', ...options] = process.argv.slice(2);
const area = areas[name];
const seconds = Number(options.find((option) => option.startsWith('--seconds='))?.slice('--seconds='.length) ?? Number.NaN);
const unknown = options.filter((option) => option !== '--json' && !/^--seconds=\d+$/.test(option));
if (!area || unknown.length > 0) {
  console.error(`usage: npm run bench -- ${Object.keys(areas).join('|')} [--seconds=N] [--json]`);
  process.exit(2);
}
const figures = await area(Number.isNaN(seconds) ? {} : { seconds });
console.log(JSON.stringify(figures, null, options.includes('--json') ? 0 : 2));
process.exit(0);
