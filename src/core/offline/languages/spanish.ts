import type { Language } from './language.js'

const show = '((muestra|muéstrame|lista|enseña|enséñame|dame|encuentra|busca|ver) )?'
const notes = '(todas )?(las |mis |nuestras )?(notas|páginas|archivos)'
const the = '((la|mi|esta|nuestra) (nota|página) |el archivo |nota )?'
const howMany = 'cuántas (notas|páginas)'
const tasks = '(tareas|pendientes)( (abiertas|pendientes|sin hacer|por hacer|sin terminar))?'
const journal =
  '(mi |el |la )?(nota (diaria|del día)|diario|nota (de )?(?<date>hoy|ayer|mañana)|nota del (?<date2>\\d{4}-\\d\\d-\\d\\d))( de hoy)?'
const aTask = '(una |la )?(nueva )?tarea:? '
const newNote =
  '(crea|crear|escribe|haz|añade)(me)? (una |la )?(nueva )?(nota|página) (llamada |titulada |con el título )?'

export const spanish: Language = {
  code: 'es',
  words: `a al como con cuál cuáles cuándo cuánto cuánta cuántas cuántos de del dónde el ella en es esta este está están eso he hay ha
    la las lo los me mi mis muy no nos nuestro o para pero por porque que qué quién se si sin sobre son soy su sus también tengo tiene
    tu un una unas unos y yo llamada titulada`,
  noteWords: 'nota notas página páginas documento apuntes bóveda',
  frame: `nota notas página páginas documento dice dicen dije digo escribí escrito escribe escrita apunté anoté menciona mencionan
    describe explica explicar encuentra encontrar busca muestra recuerda aprendí necesito quiero saber hacer hago hace funciona
    significa posible manera forma mejor buena cosa cosas tipo`,
  politeBefore: 'por favor|(?:puedes|podrías|podés)|quiero|quisiera|me gustaría|ahora|hola notewright|notewright',
  politeAfter: 'por favor|gracias',
  thisNote: 'esta (?:nota|página)|la nota (?:abierta|actual)|este archivo',
  command:
    '(?:renombra|renombrar|mueve|mover|borra|borrar|elimina|eliminar|fusiona|ordena|archiva|reemplaza|copia|exporta|importa) (?:todas?|todos|cada) ',
  forms: {
    undo: ['(deshaz|deshacer)( (eso|esto|todo|(el |la )?(último |última )?(cambio|modificación)))?', 'deshazlo'],
    help: [
      '(hola|buenos días|buenas tardes|buenas noches|buenas)( notewright)?',
      'ayuda',
      'ayúdame',
      'qué (puedes|puedo|sabes) hacer( aquí)?',
      'quién eres',
      'cómo funciona( esto)?',
    ],
    thanks: ['(muchas )?gracias', '(perfecto|genial|estupendo|muy bien|adiós|vale)'],
    search: [
      '(busca|buscar|búscame)( en (mis |las )?notas)?:? {query}',
      '(encuentra|encontrar)( (todas )?(las |mis )?(notas|páginas) (sobre|de|acerca de))? {query}',
      '(notas|páginas) (sobre|acerca de) {query}',
    ],
    listTags: [
      `${show}(todas )?(las |mis |los )?(etiquetas|tags)`,
      '(qué |cuáles son (las |mis )?)(etiquetas|tags)( (hay|tengo|existen|uso))?',
    ],
    randomNote: [
      `${show}una nota (al azar|aleatoria)( con (la )?etiqueta {tags})?`,
      `${show}una nota (al azar|aleatoria) (de|en) (la carpeta )?{folder}`,
    ],
    taggedNotes: [
      `${show}${notes} (con|que tienen) (la |las |el )?(etiquetas?|tags?) {tags}`,
      `${show}${notes} (con |etiquetadas (con |como )?)?(?=#){tags}`,
      `${show}${notes} etiquetadas (con|como) {tags}`,
      'qué notas tienen (la |el )?(etiqueta|tag) {tags}',
    ],
    notesInFolder: [
      `${show}${notes} (en|de) (la )?carpeta {folder}`,
      `(muestra|muéstrame|lista|dame) ${notes} (en|de) {folder}`,
      'qué (notas )?hay en (la carpeta )?{folder}',
    ],
    countTagged: [
      `${howMany} (tienen|hay con|tengo con|con|llevan) (la |el )?(etiqueta |tag )?(?=#){tags}`,
      `${howMany} (tienen|hay con|tengo con|con|llevan) (la |el )?(etiqueta|tag) {tags}`,
    ],
    countAll: [`${howMany} (tengo|hay|tenemos|existen)( en total| en la bóveda)?`, '(número|total|cantidad) de notas'],
    countInFolder: [`${howMany} (hay |tengo |están )?en (la carpeta )?{folder}`],
    countAbout: [`${howMany} (hay |tengo )?(sobre|acerca de|hablan de|mencionan|contienen) {topic}`],
    backlinks: [
      `(qué|quién|qué (notas|páginas)) (enlazan?|apuntan?|llevan?|vinculan?) (a|con|hacia) ${the}{note}`,
      `${show}(los |todos los )?(retroenlaces|backlinks|enlaces entrantes) (de|a|para) ${the}{note}`,
    ],
    forwardLinks: [
      `(a qué|a dónde|adónde) (enlaza|apunta|lleva) ${the}{note}`,
      `${show}(los |todos los )?enlaces( salientes)? (de|en) ${the}{note}`,
    ],
    tasksDue: [
      `${show}(todas )?(las |mis )?${tasks} (para|de|que vencen) {time}`,
      '(qué|qué tareas) (vencen?|hay|tengo) (para )?{time}',
      'qué (tengo|debo|hay) que hacer {time}',
      `${show}(todas )?(las |mis )?tareas (?<time2>atrasadas|vencidas)`,
    ],
    tasks: [
      `${show}(todas )?(las |mis )?${tasks} (en|de) ${the}{note}`,
      `${show}(todas )?(las |mis |los )?${tasks}`,
      '(qué |cuáles son (las |mis )?)tareas( (abiertas|pendientes))?( (tengo|hay|quedan))?( (abiertas|pendientes))?',
      'qué (tengo|me queda|queda|falta)( que| por)? hacer',
      'cuántas tareas( abiertas| pendientes)? (tengo|hay|quedan)( pendientes)?',
    ],
    tickTask: [
      '(marca|marcar) (la )?(tarea )?{task} como (hecha|completada|terminada|hecho)',
      '(completa|completar|termina|tacha) (la )?tarea {task}',
    ],
    readNote: [
      `(abre|abrir) ${the}{note}`,
      `(lee|leer|léeme) (?=(la|mi|esta) (nota|página) |\\[\\[|["«“])${the}{note}`,
    ],
    showNote: [`(muestra|muéstrame|enseña|enséñame) (?=(la|mi|esta) (nota|página) |\\[\\[|["«“])${the}{note}`],
    recentNotes: [
      `${show}(las |mis )?((últimas|recientes) notas|notas (recientes|modificadas recientemente|más recientes))`,
      'qué (ha cambiado|hay de nuevo|cambió)( recientemente| últimamente)?',
    ],
    notesOfTime: [
      'qué (escribí|he escrito|anoté|he anotado|hice|cambié|he cambiado) {time}',
      'qué (escribí|he escrito|anoté|he anotado) {time} sobre {topic}',
      'qué (escribí|he escrito|anoté|he anotado) sobre {topic} {time}',
      `${show}${notes} (de|desde|del) {time} (sobre|acerca de) {topic}`,
      `${show}${notes} (de|desde|del) {time}`,
      'qué (cambió|ha cambiado) {time}',
    ],
    compose: [
      '(crea|escribe|redacta)(me)? (una |un )?(nueva |breve )?(nota|página|resumen|artículo|texto|ensayo|borrador) (sobre|acerca de|de) {topic}',
      '(traduce|reescribe|reformula|corrige|mejora|acorta|redacta) {topic}',
    ],
    createNote: [
      `${newNote}{note} en la carpeta {folder} con( el (texto|contenido))?:? {content}`,
      `${newNote}{note} con( el (texto|contenido))?:? {content}`,
      `${newNote}{note} en la carpeta {folder}`,
      `${newNote}{note}`,
      'nueva nota:? {note}',
    ],
    addToDaily: [
      `(añade|agrega|apunta|escribe|anota) ${aTask}{task} (a|en|al) ${journal}`,
      `(añade|agrega|apunta|escribe|anota) {content} (a|en|al) ${journal}`,
    ],
    addToNote: [
      `(añade|agrega) ${aTask}{task} (a|en) ${the}{note}`,
      `(añade|agrega) {content} (a|en|al final de) ${the}{note} bajo (el título |la sección )?{heading}`,
      `(añade|agrega) {content} (a|en|al final de) ${the}{note}`,
    ],
    renameNote: [`(renombra|renombrar|cambia el nombre de) ${the}{note} (a|como|por) {target}`],
    moveNote: [`(mueve|mover) ${the}{note} a la carpeta {folder}`, `(mueve|mover) ${the}{note} a {target}`],
    deletePart: ['(borra|elimina|quita) {note} (de|en|del) {place}'],
    deleteNote: [`(borra|borrar|elimina|eliminar) ${the}{note}`],
    tagNote: [
      `(etiqueta|etiquetar) ${the}{note} (con|como) (la etiqueta |las etiquetas )?{tags}`,
      `(añade|agrega|pon) (la etiqueta|las etiquetas|el tag) {tags} a ${the}{note}`,
      `(añade|agrega|pon) (?=#){tags} a ${the}{note}`,
    ],
    untagNote: [
      `(quita|elimina|borra) (la etiqueta|las etiquetas|el tag) {tags} (de|a) ${the}{note}`,
      `(quita|elimina|borra) (?=#){tags} (de|a) ${the}{note}`,
    ],
    setProperty: [
      `(pon|cambia|establece) (la propiedad |el |la )?{property} de ${the}{note} (a|en|como) {value}`,
      `(quita|elimina|borra) la propiedad {property} de ${the}{note}`,
    ],
  },
  times: [
    ['hoy', 'today'],
    ['ayer', 'yesterday'],
    ['anteayer', 'the day before yesterday'],
    ['mañana', 'tomorrow'],
    ['atrasadas|vencidas', 'overdue'],
    ['(?:de )?(?:la )?semana pasada|(?:la )?última semana', 'last week'],
    ['esta semana', 'this week'],
    ['(?:la )?(?:próxima semana|semana que viene)', 'next week'],
    ['(?:el |del )?mes pasado|(?:el )?último mes', 'last month'],
    ['este mes', 'this month'],
    ['(?:el )?(?:próximo mes|mes que viene)', 'next month'],
    ['(?:el |del )?año pasado', 'last year'],
    ['este año', 'this year'],
    ['(?:en )?(?:los )?últimos (\\d{1,3}) días', 'last $1 days'],
    ['(?:en )?(?:las )?últimas (\\d{1,3}) semanas', 'last $1 weeks'],
    ['(?:en )?(?:los )?últimos (\\d{1,3}) meses', 'last $1 months'],
    ['hace (\\d{1,3}) días', '$1 days ago'],
  ],
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  examples: [
    'abre [[{note}]]',
    'qué notas enlazan a {note}',
    'notas con #{tag}',
    'cuántas notas hay en {folder}',
    'tareas pendientes',
    'qué escribí la semana pasada',
    'añade … a la nota diaria',
    'renombra {note} a …',
    'etiqueta {note} con …',
  ],
  say: {
    noModel: 'No hay ningún modelo de lenguaje configurado',
    quotesInstead: '{noModel}, así que cito tus notas en lugar de responder con mis propias palabras. {setUp}',
    setUpModel: 'Para configurar uno: {place}.',
    foundModels: 'Encontrados en este ordenador: {models}. Usa uno con {use}.',
    andMore: 'y {n} más',
    chatOnly:
      '{noModel}. Sin modelo puedo buscar en tus notas, citarlas y atender peticiones sencillas, pero este chat no tiene herramientas. {setUp}',
    help: '{noModel}: busco en tus notas, las cito y atiendo peticiones sencillas. Haz una pregunta o, por ejemplo:',
    helpEnd:
      'Pregunto antes de cambiar nada, y puedes deshacerlo con {undo}. Un modelo de lenguaje puede hacer más. {setUp}',
    notUnderstood: 'Sin modelo de lenguaje no entiendo esta petición. Estas sí funcionan, por ejemplo:',
    needsModel:
      'Para escribir un texto nuevo hace falta un modelo de lenguaje, y no hay ninguno configurado. {setUp} Puedo guardar tus propias palabras: `crea una nota "Nombre" con …`.',
    promptNeedsModel: 'El prompt /{name} contiene instrucciones que necesitan un modelo de lenguaje. {setUp}',
    worksWithout: 'Sin modelo puedo buscar una pregunta en tus notas o atender estas peticiones:',
    welcome: 'De nada.',
    fromNotes: 'En tus notas:',
    nothingAbout: 'No he encontrado nada sobre {topic} en tus notas.',
    nothingAboutBut: 'No he encontrado nada sobre {topic} en tus notas. Estos pasajes mencionan {covered}:',
    mayNotAnswer: 'Estos pasajes mencionan tus palabras, pero quizá no respondan a la pregunta:',
    tryOtherWords: 'Prueba con menos palabras o con otras.',
    propertyLabel: 'Propiedad',
    or: '{a} o {b}',
    undoHint: 'Para deshacerlo: {undo}.',
    nothingToUndo:
      'No he cambiado nada en este chat. Los cambios anteriores se deshacen con {undo}; {history} los muestra todos.',
    notDone: 'No se ha hecho.',
    deniedByUser: 'Lo has rechazado.',
    noSuchNote: 'No existe la nota {note}.',
    didYouMean: '¿Querías decir una de estas?',
    whichNote: 'No sé a qué nota te refieres. Nómbrala, por ejemplo: `{example}`.',
    oneAtATime:
      'Parecen varias peticiones. Sin modelo de lenguaje solo puedo atender una a la vez. Envíalas una por una.',
    quoteNames: 'No distingo los dos nombres en {text}. Ponlos entre comillas: `{example}`.',
    needsAgentMode:
      'No se ha hecho: hacen falta dos pasos y este modo solo permite uno. Pídelo de nuevo en modo agente ({mode}).',
    needsTool: 'No se ha hecho: hace falta la herramienta `{tool}`, que está desactivada. Para activarla: {place}.',
    noToolsInMode:
      'No se ha hecho: este modo no puede usar la herramienta necesaria. Pídelo de nuevo en modo agente ({mode}).',
    onlyWholeNotes: 'Solo puedo borrar notas enteras. Si es el nombre de una nota, ponlo entre comillas: `{example}`.',
    tagIsOneWord: 'Una etiqueta es una sola palabra, sin espacios ni puntuación. ¿Querías decir `#{tag}`?',
    alreadyExists: 'No se ha hecho: {path} ya existe. Añade texto con `{example}` o elige otro nombre.',
    tags: 'Etiquetas y su número de notas:',
    tagged: 'Notas con {tags}:',
    noneTagged: 'Ninguna nota tiene {tags}.',
    inFolder: 'Notas en {folder}:',
    firstInFolder: 'Las primeras {n} notas en {folder}:',
    noneInFolder: 'No hay notas en una carpeta {folder}.',
    countAll: ['No hay notas.', 'Hay una nota.', 'Hay {n} notas.'],
    countInFolder: ['No hay notas en {folder}.', 'Hay una nota en {folder}.', 'Hay {n} notas en {folder}.'],
    countTagged: ['Ninguna nota tiene {tags}.', 'Una nota tiene {tags}.', '{n} notas tienen {tags}.'],
    countAbout: ['Ninguna nota menciona {topic}.', 'Una nota menciona {topic}:', '{n} notas mencionan {topic}:'],
    atLeast: 'al menos {n}',
    backlinks: ['Ninguna otra nota enlaza a {note}.', 'Una nota enlaza a {note}:', '{n} notas enlazan a {note}:'],
    times: ['', '', '({n} enlaces)'],
    links: 'Enlaces en {note}:',
    noLinks: 'No hay enlaces en {note}.',
    brokenLink: '(no existe esa nota)',
    notesOf: 'Notas, {when}:',
    noNotesOf: 'No hay notas, {when}.',
    quotesOf: 'De las notas, {when}:',
    notMentionedIn: 'Las notas ({when}) no mencionan {topic}.',
    tasks: ['No hay tareas pendientes.', 'Una tarea pendiente:', '{n} tareas pendientes:'],
    tasksDue: ['No vence ninguna tarea ({when}).', 'Vence una tarea ({when}):', 'Vencen {n} tareas ({when}):'],
    tasksIn: [
      'No hay tareas pendientes en {note}.',
      'Una tarea pendiente en {note}:',
      '{n} tareas pendientes en {note}:',
    ],
    moreTasks: '… y {n} más',
    due: 'vence el {date}',
    whichTask: 'Coinciden varias tareas pendientes. Da más palabras:',
    noSuchTask: 'Ninguna tarea pendiente menciona {task}.',
    created: 'Se ha creado {note}.',
    added: 'Añadido a {note}.',
    renamed: 'Ahora se llama {note}.',
    deleted: '{note} está en la papelera.',
    changed: 'Se ha cambiado {note}.',
    ticked: 'Hecho: {task}',
    undone: 'Deshecho.',
  },
}
