/** The plugin in a folder: what its script weighs, and the files it was made of with their sizes. */
export function buildPlugin(folder: string): Promise<{ bytes: number; sizes: { file: string; size: number }[] }>
