/** What the endpoint serves below `/v1`, for the reference page. */
export const routeList: readonly { method: 'GET' | 'POST' | 'DELETE'; path: string; about: string }[] = [
  {
    method: 'GET',
    path: '/v1/models',
    about: 'The models that are set up: the vault in its four ways, and the backend.',
  },
  { method: 'GET', path: '/v1/models/{id}', about: 'One of them.' },
  { method: 'POST', path: '/v1/responses', about: 'Makes a response, whole or as a stream of events (`stream`).' },
  {
    method: 'GET',
    path: '/v1/responses',
    about: 'The same as a WebSocket: each `response.create` message asks for one response, one at a time.',
  },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    about: 'Makes a conversation short; the result is the input of the next.',
  },
  {
    method: 'GET',
    path: '/v1/responses/{id}',
    about:
      'A response that is kept. One that was made in the background with `stream` is streamed again with `?stream=true`, from an event on with `&starting_after=N`.',
  },
  { method: 'DELETE', path: '/v1/responses/{id}', about: 'Forgets it.' },
  { method: 'POST', path: '/v1/responses/{id}/cancel', about: 'Stops one that is being made; what had come stays.' },
  {
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    about: 'What was put in for it (`limit`, `order`, `after`).',
  },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    about: "The same replies in the older API's words, whole or as a stream.",
  },
]
