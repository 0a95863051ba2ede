import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { projectRoot } from '@/lib/server/project-root';

/** Type numbers of PostgreSQL: the one-byte "char" of its catalogue, and text. */
const catalogueChar = 18;
const text = 25;
/** How the engine is told that a column holds a character. */
const characterColumn = 6;

type Performed = { readonly fields: { dataTypeID: number }[] };

/** The inside of the adapter's connection: every query passes `performIO`, then its columns are named by `queryRaw`. */
type Inside = {
  queryRaw: (query: SqlQuery) => Promise<SqlResultSet>;
  performIO: (query: SqlQuery) => Promise<Performed>;
};

/** Prisma's adapter cannot read the catalogue's "char" columns, which the engine asks for to describe a live database. */
class CatalogueReader extends PrismaPg {
  override async connect() {
    const connection = await super.connect();
    const inside = connection as unknown as Inside;
    const performIO = inside.performIO.bind(connection);
    const queryRaw = inside.queryRaw.bind(connection);
    inside.queryRaw = async (query) => {
      const characters: number[] = [];
      inside.performIO = async (inner) => {
        const result = await performIO(inner);
        result.fields.forEach((field, index) => {
          if (field.dataTypeID !== catalogueChar) return;
          field.dataTypeID = text;
          characters.push(index);
        });
        return result;
      };
      const result = await queryRaw(query);
      for (const index of characters) result.columnTypes[index] = characterColumn;
      return result;
    };
    return connection;
  }
}

/**
 * The SQL that would turn a live database into what `prisma/schema.prisma` says; undefined when nothing is missing. Triggers, functions and
 * checks are outside the engine's view.
 */
export async function schemaDrift(url: string): Promise<string | undefined> {
  const schema = { path: 'schema.prisma', content: fs.readFileSync(path.join(projectRoot(), 'prisma/schema.prisma'), 'utf8') };
  // The engine leaves an advisory lock on its connection, so that connection ends with it.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const { SchemaEngine } = await loadEngine();
  const engine = await SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(new CatalogueReader(pool)),
  );
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: projectRoot() },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? undefined : (stdout ?? 'a difference without a script');
  } finally {
    engine.free();
    await pool.end();
  }
}

let loaded: Promise<typeof engineModule> | undefined;

function loadEngine(): Promise<typeof engineModule> {
  loaded ??= instantiate();
  return loaded;
}

/** The package is made for bundlers; Node has to hand it the module's bytes, and once only: it keeps its memory in a variable. */
async function instantiate(): Promise<typeof engineModule> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = fs.readFileSync(path.join(folder, 'schema_engine_bg.wasm'));
  const loadable = engineModule as unknown as WebAssembly.ModuleImports & { __wbg_set_wasm(exports: WebAssembly.Exports): void };
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': loadable });
  loadable.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return engineModule;
}
