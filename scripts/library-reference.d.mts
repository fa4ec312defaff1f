/** The text of docs/reference/library.md. Throws if an export has no comment, or is in no section. */
export function libraryReference(): string
