export type Counts = { readonly passed: number; readonly failed: number; readonly skipped?: number };

export declare function freshReport(name: string): string;
export declare function countReport(file: string, code: number, count: (report: Counts) => Counts): Counts;
