/** What a server said instead of answering, as the errors of the packages tell it. */
export async function refusedBy(response: Response, said?: string): Promise<Error> {
  const waits = ['retry-after', 'retry-after-ms'].flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.assign(new Error(), {
    statusCode: response.status,
    responseBody: said ?? (await response.text()),
    responseHeaders: Object.fromEntries(waits),
  })
}
