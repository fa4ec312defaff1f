export function bundleCore(options?: {
  withProviders?: boolean
}): Promise<{ code: string; files: string[]; sizes: { file: string; size: number }[] }>
