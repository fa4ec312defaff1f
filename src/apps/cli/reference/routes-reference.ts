import { routeList } from '../../responses/index.js'

/** The text of docs/reference/routes.md: what `notewright serve` answers to. */
export function routesReference(): string {
  const rows = routeList.map(({ method, path, about }) => `| \`${method}\` | \`${path}\` | ${about} |`)
  return `${introduction}\n${rows.join('\n')}\n`
}

const introduction = `# What notewright serve answers to

Every request needs the token (\`Authorization: Bearer …\`) but \`GET /health\`, which says \`ok\` and nothing more. Bodies are JSON.
Errors are \`{"error": {"message", "type", "param", "code"}}\`. [How to use it](../guides/responses.md). This page is made by
\`npm run docs\`.

| | path | |
| --- | --- | --- |
| \`GET\` | \`/health\` | Whether the server is there. |`
