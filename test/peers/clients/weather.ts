/** The tool of the clients' tests, and what it answers. */
export const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
    additionalProperties: false,
  },
}

export const question = 'How is the weather in Oslo and in Paris?'

export const weatherOf = ({ city }: { city: string }) => `Sunny in ${city}`

/** Answer of the scripted model once it has both results. */
export const answer = 'This is what I found: Sunny in Oslo; Sunny in Paris'
