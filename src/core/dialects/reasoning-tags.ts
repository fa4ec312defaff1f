/** How models set reasoning apart, besides harmony's channels. */
export interface ReasoningTags {
  opener: string
  closer: string
}

export const reasoningTags: readonly ReasoningTags[] = [
  { opener: '<think>', closer: '</think>' },
  { opener: '<thinking>', closer: '</thinking>' },
  { opener: '<seed:think>', closer: '</seed:think>' },
  { opener: '<mm:think>', closer: '</mm:think>' },
  { opener: '<think:opensource>', closer: '</think:opensource>' },
  { opener: '<|open|>think<|sep|>', closer: '<|close|>think<|sep|>' },
  { opener: '◁think▷', closer: '◁/think▷' },
  { opener: '[THINK]', closer: '[/THINK]' },
  { opener: '<|START_THINKING|>', closer: '<|END_THINKING|>' },
  { opener: '<|channel>thought', closer: '<channel|>' },
]
