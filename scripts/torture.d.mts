export function bundleTorture(folder: string): Promise<string>
