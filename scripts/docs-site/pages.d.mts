export interface Page {
  file: string
  title: string
  headings: { depth: number; text: string; id: string }[]
  links: string[]
}
export function sections(): { title: string; pages: string[] }[]
export function readPage(file: string): Page
export function brokenLinks(pages: Page[]): string[]
export function allPages(): string[]
