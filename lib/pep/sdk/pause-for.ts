export const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
