/** Without characters no one sees but a model reads: tags, direction marks, controls. */
export function withoutUnseen(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      .replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '')
  )
}
