export function bundleCore(options?: { withProviders?: boolean }): Promise<{ code: string; files: string[] }>
