/**
 * The plain reading of `private: true` for a host that is given no other: the line itself, whatever else the
 * frontmatter holds, so that a note stays private even when its YAML is broken.
 */
export function readsPrivateProperty(text: string): boolean {
  const frontmatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n---|$)/.exec(text)
  return (
    frontmatter !== null &&
    /^["']?private["']?[ \t]*:[ \t]*["']?(?:true|yes|on)["']?[ \t]*(?:#.*)?\r?$/im.test(frontmatter[1])
  )
}
