export function bundlePage(entries: {
  script: string
  style: string
}): Promise<{ js: string; css: string; files: string[] }>
