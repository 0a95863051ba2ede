import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countReport } from './read-report.mjs';

let file: string;

beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-report-')), 'report.json');
});

afterEach(() => {
  fs.rmSync(path.dirname(file), { recursive: true });
});

const counted = (code: number, passed: number, failed: number) => {
  fs.writeFileSync(file, JSON.stringify({ passed, failed }));
  return countReport(file, code, (report) => report);
};

describe('count of a test run', () => {
  test('is what the report says', () => {
    expect(counted(0, 3, 0)).toEqual({ passed: 3, failed: 0 });
    expect(counted(1, 3, 2)).toEqual({ passed: 3, failed: 2 });
  });

  test('a run that found no test fails', () => {
    expect(counted(0, 0, 0)).toEqual({ passed: 0, failed: 1 });
  });

  test('a run that failed outside any test fails', () => {
    expect(counted(1, 3, 0)).toEqual({ passed: 3, failed: 1 });
  });

  test('a run that wrote no report fails', () => {
    expect(countReport(file, 0, (report) => report)).toEqual({ passed: 0, failed: 1 });
  });
});
