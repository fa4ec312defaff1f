/** How many pages a PDF tells of; 0 where it keeps that packed. Undefined where it does not end as one does. */
export function pagesOf(bytes: Uint8Array): number | undefined {
  // Every byte as the character of its number: marks of the format are plain letters.
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.slice(-2048).includes('%%EOF')) return undefined
  const counts = [...text.matchAll(/\/Type\s{0,4}\/Pages\b[^>]{0,400}?\/Count\s{1,4}(\d{1,6})/g)]
  const singles = text.match(/\/Type\s{0,4}\/Page\b/g)?.length ?? 0
  return Math.max(singles, ...counts.map(([, count]) => Number(count)))
}
