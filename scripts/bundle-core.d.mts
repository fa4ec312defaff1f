export function bundleCore(options?: {
  withProviders?: boolean
  input?: string
}): Promise<{ code: string; files: string[]; sizes: { file: string; size: number }[] }>
