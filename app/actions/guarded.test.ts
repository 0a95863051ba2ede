import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..');
const wrappers = new Set(['defineAction', 'defineSetUpAction']);

const sources = ['app', 'components', 'lib']
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|itest)\.tsx?$/.test(file) && !file.includes('generated'));

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const parse = (file: string) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);

const isDirective = (statement: ts.Statement | undefined): boolean =>
  statement !== undefined && ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression) && statement.expression.text === 'use server';

/** What a module exports that is not `export const name = wrapper(…)`. */
function unguarded(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement): string[] => {
    if (isDirective(statement) || ts.isImportDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [];
    const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isVariableStatement(statement) && exported) {
      return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
        const call = initializer && ts.isCallExpression(initializer) && ts.isIdentifier(initializer.expression) && wrappers.has(initializer.expression.text);
        return call ? [] : [name.getText()];
      });
    }
    return exported || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement) ? [statement.getText().slice(0, 60)] : [];
  });
}

describe('server actions', () => {
  const files = sources.filter((file) => isDirective(parse(file).statements[0]));

  it('exist, and stand in app/actions alone', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => path.dirname(file) !== path.join('app', 'actions'))).toEqual([]);
  });

  it('are never declared inside another function', () => {
    const inside = sources.filter((file) => /['"]use server['"]/.test(read(file)) && !files.includes(file));
    expect(inside).toEqual([]);
  });

  it.each(files)('of %s go through the wrapper that authenticates', (file) => {
    expect(unguarded(parse(file))).toEqual([]);
  });

  it('would be found if one did not', () => {
    const source = ts.createSourceFile('x.ts', `'use server'; export const a = defineAction({}); export async function b() {} export const c = async () => 1;`, ts.ScriptTarget.Latest, true);
    expect(unguarded(source)).toEqual(['export async function b() {}', 'c']);
  });
});
