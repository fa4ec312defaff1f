import { describe, expect, it } from 'vitest'
import { isAbout, type RequestTopic } from './request-topics.js'

describe('the topic of a request', () => {
  it.each<[RequestTopic, string]>([
    ['clock', 'What time is it?'],
    ['clock', 'Wie viel Uhr ist es jetzt?'],
    ['clock', '现在几点？'],
    ['zone', 'When is 3 pm in Tokyo for me?'],
    ['period', 'What did I write last week?'],
    ['period', 'Was habe ich vergangenen Monat geschrieben?'],
    ['period', 'Qu’ai-je écrit la semaine derniere ?'],
    ['period', '¿Qué escribí el mes pasado?'],
    ['period', 'Cosa ho scritto la scorsa settimana?'],
    ['period', 'O que escrevi ontem?'],
    ['period', '我上周写了什么'],
    ['period', '先週書いたノート'],
    ['timer', 'Start a pomodoro of 25 minutes'],
    ['random', 'Zeig mir eine zufällige Notiz'],
    ['random', 'Surprise me'],
  ])('is %s in "%s"', (topic, request) => {
    expect(isAbout(topic, request)).toBe(true)
  })

  it.each<[RequestTopic, string]>([
    ['clock', 'Sometimes tomatoes get blight'],
    ['period', 'Rename Tomatoes to Growing tomatoes'],
    ['timer', 'Tag Tomatoes with vegetable'],
    ['random', 'What does my note on case law say?'],
    ['random', '把这个笔记改名'],
  ])('is not %s in "%s"', (topic, request) => {
    expect(isAbout(topic, request)).toBe(false)
  })
})
