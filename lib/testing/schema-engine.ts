import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const require = createRequire(import.meta.url);
const schemaFile = path.resolve(import.meta.dirname, '../../prisma/schema.prisma');

let loaded: Promise<void> | undefined;

/** Where the engine leaves the words of a crash inside it, whose promise never settles. */
let reportCrash: (message: string) => void = () => undefined;
Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => reportCrash(message) } });

/** The engine ships as a module that only bundlers can load; here it gets its WebAssembly by hand, once. */
async function load(): Promise<void> {
  const file = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const imports = { './schema_engine_bg.js': { ...engine } } as unknown as WebAssembly.Imports;
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(file), imports);
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports as { readonly __wbindgen_start: () => void }).__wbindgen_start();
}

const charType = 18;
const textType = 25;
/** No column of the catalogues is named so. */
const charMark = 'char:';

/** Columns of the catalogues have the type `"char"`, which the adapter refuses: they pass it as marked text. */
function readingCatalogues(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const query = pool.query.bind(pool) as (...values: unknown[]) => Promise<pg.QueryResult>;
  const marking = async (...values: unknown[]): Promise<pg.QueryResult> => {
    const result = await query(...values);
    for (const field of result.fields) {
      if (field.dataTypeID === charType) Object.assign(field, { dataTypeID: textType, name: charMark + field.name });
    }
    return result;
  };
  pool.query = marking as typeof pool.query;
  return pool;
}

/** Behind the adapter the marked columns become the characters that the engine expects. */
class CatalogueAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql) => {
      const result = await queryRaw(sql);
      const isChar = (name: string): boolean => name.startsWith(charMark);
      return {
        ...result,
        columnTypes: result.columnTypes.map((type, i) => (isChar(result.columnNames[i] ?? '') ? ColumnTypeEnum.Character : type)),
        columnNames: result.columnNames.map((name) => (isChar(name) ? name.slice(charMark.length) : name)),
      };
    };
    return adapter;
  }
}

/**
 * The SQL that would bring a database to what `prisma/schema.prisma` says, by Prisma's own engine; undefined when nothing is
 * missing. Triggers, functions and CHECK constraints are beyond Prisma's schema and never show here.
 */
export async function schemaDrift(url: string, schema = fs.readFileSync(schemaFile, 'utf8')): Promise<string | undefined> {
  loaded ??= load();
  await loaded;
  const pool = readingCatalogues(url);
  const files = [{ path: 'schema.prisma', content: schema }];
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(new CatalogueAdapter(pool));
    const schemaEngine = await engine.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => undefined, factory);
    const crashed = new Promise<never>((_, reject) => {
      reportCrash = (message) => reject(new Error(message));
    });
    const diff = schemaEngine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    const { exitCode, stdout } = await Promise.race([diff, crashed]);
    return exitCode === 0 ? undefined : (stdout ?? '');
  } finally {
    await pool.end();
  }
}
