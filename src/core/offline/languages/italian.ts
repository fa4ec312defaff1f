import type { Language } from './language.js'

const show = '((mostra|mostrami|elenca|elencami|trova|dammi|cerca|vedi) )?'
const notes = '(tutte )?(le |le mie |mie )?(note|pagine|file)'
const the = '((la|la mia|questa) (nota|pagina) |il file |nota )?'
const howMany = 'quante (note|pagine)'
const tasks = '(attività|compiti|task|todo)( (aperte|aperti|da fare|in sospeso|rimaste|non completate))?'
const journal =
  '(la |il )?(mia |mio )?(nota (giornaliera|del giorno|quotidiana)|diario|nota di (?<date>oggi|ieri|domani)|nota del (?<date2>\\d{4}-\\d\\d-\\d\\d))( di oggi)?'
const aTask = "(un'|una |l'|la )?(nuova )?(attività|task|cosa da fare):? "
const newNote =
  '(crea|creami|scrivi|fai|aggiungi) (una |la )?(nuova )?(nota|pagina) (chiamata |intitolata |dal titolo |con titolo )?'

export const italian: Language = {
  code: 'it',
  words: `a agli ai al alla alle anche che chi ci come con cosa cos cui da dai dal dalla degli dei del della delle di dove e ed era
    fa gli ha hai ho i il in io la le lo ma me mi mia mie mio miei nei nel nella no noi non nostro o per perché più qual quale quali
    quando quanta quante quanti quanto quello questa queste questi questo sei si sono su sul sulla tra tu un una uno è c'è chiamata intitolata`,
  noteWords: 'nota note appunti pagina pagine documento',
  frame: `nota note pagina pagine documento dice dicono detto scritto scritta scrivo annotato parla parlano menziona menzionano
    descrivi spiega spiegare trova trovare mostra cerca ricorda imparato bisogno voglio sapere fare faccio fa funziona vuol dire
    significa possibile modo maniera bene buona buone migliore migliori conviene serve cosa cose tipo mai`,
  politeBefore:
    'per favore|per piacere|(?:puoi|potresti|puoi per favore)|voglio|vorrei|adesso|ora|ciao notewright|notewright',
  politeAfter: 'per favore|per piacere|grazie',
  thisNote: 'questa (?:nota|pagina)|la nota (?:aperta|corrente)|questo file',
  command:
    '(?:rinomina|rinominare|sposta|spostare|elimina|eliminare|cancella|unisci|ordina|archivia|sostituisci|copia|esporta|importa) (?:tutte?|tutti|ogni) ',
  forms: {
    undo: [
      "(annulla|annullare)( (tutto|questo|(l')?ultima modifica|la modifica|l'ultimo cambiamento))?",
      'torna indietro',
    ],
    help: [
      '(ciao|buongiorno|buonasera|salve)( notewright)?',
      'aiuto',
      'aiutami',
      '(che )?cosa (puoi|posso|sai) fare( qui)?',
      'chi sei',
      'come funziona',
    ],
    thanks: ['grazie( mille| tante)?', '(perfetto|ottimo|bene|va bene|arrivederci|bravo)'],
    search: [
      '(cerca|cercami|ricerca)( (nelle|tra le) (mie )?note)?:? {query}',
      '(trova|trovami)( (tutte )?(le |le mie )?(note|pagine) (su|sul|sulla|sui|che parlano di))? {query}',
      '(note|pagine) (su|sul|sulla|sui|riguardo a) {query}',
    ],
    listTags: [
      `${show}(tutti )?(i |i miei )?(tag|etichette)`,
      '(quali|che) (sono (i |i miei )?)?(tag|etichette)( (ci sono|ho|esistono|uso))?',
    ],
    randomNote: [
      `${show}una nota (a caso|casuale)( con (il )?tag {tags})?`,
      `${show}una nota (a caso|casuale) (da|dalla|nella|in) (cartella )?{folder}`,
    ],
    taggedNotes: [
      `${show}${notes} (con|che hanno) (il |i |l')?(tag|etichetta|etichette) {tags}`,
      `${show}${notes} (con |taggate (con )?|etichettate (con |come )?)?(?=#){tags}`,
      `${show}${notes} (taggate|etichettate) (con|come) {tags}`,
      "(quali|che) note hanno (il |l')?(tag|etichetta) {tags}",
    ],
    notesInFolder: [
      `${show}${notes} (nella|della|in) cartella {folder}`,
      `(mostra|mostrami|elenca|dammi) ${notes} (in|nella|di) {folder}`,
      "(quali note|cosa|che cosa|cosa c'è|quali note ci sono)( c'è| ci sono)? (nella cartella|in) {folder}",
    ],
    countTagged: [
      `${howMany} (hanno|con|ci sono con|ho con) (il |l')?(tag |etichetta )?(?=#){tags}`,
      `${howMany} (hanno|con|ci sono con|ho con) (il |l')?(tag|etichetta) {tags}`,
    ],
    countAll: [
      `${howMany} (ho|ci sono|abbiamo|esistono)( in tutto| in totale| nel vault)?`,
      '(numero|totale) di note',
      '(numero|totale) delle note',
    ],
    countInFolder: [`${howMany} (ci sono |ho |sono )?(nella cartella|in) {folder}`],
    countAbout: [`${howMany} (ci sono |ho )?(su|sul|sulla|sui|parlano di|menzionano|contengono) {topic}`],
    backlinks: [
      `((che )?cosa|chi|quali (note|pagine)|che note) (collega|collegano|punta|puntano|rimanda|rimandano|linka|linkano|porta|portano) (a|alla|verso) ${the}{note}`,
      `${show}(i |tutti i )?(backlink|collegamenti in entrata|link in entrata) (di|a|per|della) ${the}{note}`,
    ],
    forwardLinks: [
      `(a cosa|dove) (collega|punta|rimanda|porta) ${the}{note}`,
      `${show}(i |tutti i )?(link|collegamenti)( in uscita)? (di|in|della|nella) ${the}{note}`,
    ],
    tasksDue: [
      `${show}(tutte )?(le |i )?${tasks} (per|di|in scadenza|che scadono|previste per) {time}`,
      '((che )?cosa|quali attività|quali task) (scade|scadono|ho da fare) {time}',
      '(che )?cosa (devo|ho da) fare {time}',
      `${show}(tutte )?(le |i )?(attività|task|compiti) (?<time2>in ritardo|scadut[ei])`,
    ],
    tasks: [
      `${show}(tutte )?(le |i |le mie |i miei )?${tasks} (in|nella|di) ${the}{note}`,
      `${show}(tutte )?(le |i |le mie |i miei )?${tasks}`,
      '(quali|che) (sono (le |i )?)?(attività|compiti|task)( (aperte|aperti|da fare))?( (ho|ci sono|restano))?( (aperte|aperti|da fare))?',
      "(che )?cosa (devo|mi resta da|resta da|c'è da|ho da)( ancora)? fare",
      'quant[ei] (attività|compiti|task)( aperte| aperti)? (ho|ci sono|restano)( aperte| da fare)?',
    ],
    tickTask: [
      "(segna|spunta|marca) (l'attività |il task |la task )?{task} come (fatt[ao]|completat[ao]|finit[ao])",
      "(spunta|completa|termina) (l'attività |il task |la task ){task}",
      'spunta {task}',
    ],
    readNote: [
      `(apri|aprimi) ${the}{note}`,
      `(leggi|leggimi) (?=(la|la mia|questa) (nota|pagina) |\\[\\[|["«“])${the}{note}`,
    ],
    showNote: [`(mostra|mostrami) (?=(la|la mia|questa) (nota|pagina) |\\[\\[|["«“])${the}{note}`],
    recentNotes: [
      `${show}(le )?(mie )?(ultime note|note (recenti|modificate di recente|più recenti))`,
      "(che )?cosa (è cambiato|c'è di nuovo)( di recente| ultimamente)?",
    ],
    notesOfTime: [
      '(che )?cosa ho (scritto|annotato|fatto|modificato) {time}',
      '(che )?cosa ho (scritto|annotato) {time} (su|sul|sulla|sui) {topic}',
      '(che )?cosa ho (scritto|annotato) (su|sul|sulla|sui) {topic} {time}',
      `${show}${notes} (di|del|della|da) {time} (su|sul|sulla|sui) {topic}`,
      `${show}${notes} (di|del|della|da) {time}`,
      '(che )?cosa è cambiato {time}',
    ],
    compose: [
      '(crea|scrivi|componi|redigi)(mi)? (una |un )?(nuova |breve )?(nota|pagina|riassunto|articolo|testo|saggio|bozza) (su|sul|sulla|sui|di|del) {topic}',
      '(traduci|riscrivi|riformula|correggi|migliora|accorcia) {topic}',
    ],
    createNote: [
      `${newNote}{note} nella cartella {folder} con( il (testo|contenuto))?:? {content}`,
      `${newNote}{note} con( il (testo|contenuto))?:? {content}`,
      `${newNote}{note} nella cartella {folder}`,
      `${newNote}{note}`,
      'nuova nota:? {note}',
    ],
    addToDaily: [
      `(aggiungi|scrivi|annota|segna) ${aTask}{task} (alla|nella|nel|al|sulla) ${journal}`,
      `(aggiungi|scrivi|annota|segna) {content} (alla|nella|nel|al|sulla) ${journal}`,
    ],
    addToNote: [
      `aggiungi ${aTask}{task} (a|alla|in|nella) ${the}{note}`,
      `aggiungi {content} (a|alla|in|nella|alla fine di) ${the}{note} sotto (il titolo |la sezione )?{heading}`,
      `aggiungi {content} (a|alla nota|in|nella nota|alla fine di) {note}`,
    ],
    renameNote: [`(rinomina|rinominare) ${the}{note} (in|come|a) {target}`],
    moveNote: [
      `(sposta|spostare) ${the}{note} nella cartella {folder}`,
      `(sposta|spostare) ${the}{note} (in|a) {target}`,
    ],
    deletePart: ['(elimina|cancella|togli) {note} (da|dalla|di|in) {place}'],
    deleteNote: [`(elimina|eliminare|cancella|cancellare) ${the}{note}`],
    tagNote: [
      `(tagga|etichetta) ${the}{note} (con|come) (il tag |i tag )?{tags}`,
      `(aggiungi|metti) (il tag|i tag|l'etichetta) {tags} (a|alla) ${the}{note}`,
      `(aggiungi|metti) (?=#){tags} (a|alla) ${the}{note}`,
    ],
    untagNote: [
      `(togli|rimuovi|elimina) (il tag|i tag|l'etichetta) {tags} (da|dalla) ${the}{note}`,
      `(togli|rimuovi|elimina) (?=#){tags} (da|dalla) ${the}{note}`,
    ],
    setProperty: [
      `(imposta|cambia|metti) (la proprietà |lo |il |la )?{property} (di|della) ${the}{note} (a|su|come) {value}`,
      `(togli|rimuovi|elimina) la proprietà {property} (da|dalla|di) ${the}{note}`,
    ],
  },
  times: [
    ['oggi', 'today'],
    ['ieri', 'yesterday'],
    ["l'altro ieri", 'the day before yesterday'],
    ['domani', 'tomorrow'],
    ['in ritardo|scadut[ei]', 'overdue'],
    ['(?:la )?(?:settimana scorsa|scorsa settimana)', 'last week'],
    ['questa settimana', 'this week'],
    ['(?:la )?(?:prossima settimana|settimana prossima)', 'next week'],
    ['(?:il )?(?:mese scorso|scorso mese)', 'last month'],
    ['questo mese', 'this month'],
    ['(?:il )?(?:prossimo mese|mese prossimo)', 'next month'],
    ["(?:l')?(?:anno scorso|scorso anno)", 'last year'],
    ["quest'anno", 'this year'],
    ['(?:negli |gli )?ultimi (\\d{1,3}) giorni', 'last $1 days'],
    ['(?:nelle |le )?ultime (\\d{1,3}) settimane', 'last $1 weeks'],
    ['(?:negli |gli )?ultimi (\\d{1,3}) mesi', 'last $1 months'],
    ['(\\d{1,3}) giorni fa', '$1 days ago'],
  ],
  months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  examples: [
    'apri [[{note}]]',
    'quali note rimandano a {note}',
    'note con #{tag}',
    'quante note ci sono in {folder}',
    'attività aperte',
    'cosa ho scritto la settimana scorsa',
    'aggiungi … alla nota giornaliera',
    'rinomina {note} in …',
    'tagga {note} con …',
  ],
  say: {
    noModel: 'Non è configurato alcun modello linguistico',
    quotesInstead: '{noModel}, quindi cito le tue note invece di rispondere con parole mie. {setUp}',
    setUpModel: 'Per configurarne uno: {place}.',
    foundModels: 'Trovati su questo computer: {models}. Usane uno con {use}.',
    andMore: 'e altri {n}',
    chatOnly:
      '{noModel}. Senza modello posso cercare nelle tue note, citarle ed eseguire richieste semplici, ma questa chat non ha strumenti. {setUp}',
    help: '{noModel}: cerco nelle tue note, le cito ed eseguo richieste semplici. Fai una domanda oppure, per esempio:',
    helpEnd:
      'Chiedo prima di modificare qualcosa, e puoi annullare con {undo}. Un modello linguistico può fare di più. {setUp}',
    notUnderstood: 'Senza un modello linguistico non capisco questa richiesta. Queste funzionano, per esempio:',
    needsModel:
      'Per scrivere un testo nuovo serve un modello linguistico, e non ne è configurato nessuno. {setUp} Posso salvare le tue parole: `crea una nota "Nome" con …`.',
    promptNeedsModel: 'Il prompt /{name} contiene istruzioni che richiedono un modello linguistico. {setUp}',
    worksWithout: 'Senza modello posso cercare una domanda nelle tue note o eseguire queste richieste:',
    welcome: 'Prego.',
    fromNotes: 'Dalle tue note:',
    nothingAbout: 'Non ho trovato nulla su {topic} nelle tue note.',
    nothingAboutBut: 'Non ho trovato nulla su {topic} nelle tue note. Questi passaggi menzionano {covered}:',
    mayNotAnswer: 'Questi passaggi menzionano le tue parole, ma forse non rispondono alla domanda:',
    tryOtherWords: 'Prova con meno parole o con parole diverse.',
    propertyLabel: 'Proprietà',
    or: '{a} o {b}',
    undoHint: 'Per annullare: {undo}.',
    nothingToUndo:
      'In questa chat non ho modificato nulla. Le modifiche precedenti si annullano con {undo}; {history} le elenca tutte.',
    notDone: 'Non eseguito.',
    deniedByUser: 'Hai rifiutato.',
    noSuchNote: 'La nota {note} non esiste.',
    didYouMean: 'Intendevi una di queste?',
    whichNote: 'Non so a quale nota ti riferisci. Indicala, per esempio: `{example}`.',
    oneAtATime:
      'Sembrano più richieste. Senza un modello linguistico posso eseguirne solo una alla volta. Inviale una per una.',
    quoteNames: 'Non distinguo i due nomi in {text}. Mettili tra virgolette: `{example}`.',
    needsAgentMode:
      'Non eseguito: servono due passi e questa modalità ne consente uno solo. Chiedi di nuovo in modalità agente ({mode}).',
    needsTool: 'Non eseguito: serve lo strumento `{tool}`, che è disattivato. Per attivarlo: {place}.',
    noToolsInMode:
      'Non eseguito: questa modalità non può usare lo strumento necessario. Chiedi di nuovo in modalità agente ({mode}).',
    onlyWholeNotes: 'Posso eliminare solo note intere. Se è il nome di una nota, mettilo tra virgolette: `{example}`.',
    tagIsOneWord: 'Un tag è una sola parola, senza spazi né punteggiatura. Intendevi `#{tag}`?',
    alreadyExists: 'Non eseguito: {path} esiste già. Aggiungi testo con `{example}` o scegli un altro nome.',
    tags: 'I tag e il loro numero di note:',
    tagged: 'Note con {tags}:',
    noneTagged: 'Nessuna nota ha {tags}.',
    inFolder: 'Note in {folder}:',
    firstInFolder: 'Le prime {n} note in {folder}:',
    noneInFolder: 'Non ci sono note in una cartella {folder}.',
    countAll: ['Non ci sono note.', "C'è una nota.", 'Ci sono {n} note.'],
    countInFolder: ['Non ci sono note in {folder}.', "C'è una nota in {folder}.", 'Ci sono {n} note in {folder}.'],
    countTagged: ['Nessuna nota ha {tags}.', 'Una nota ha {tags}.', '{n} note hanno {tags}.'],
    countAbout: ['Nessuna nota menziona {topic}.', 'Una nota menziona {topic}:', '{n} note menzionano {topic}:'],
    atLeast: 'almeno {n}',
    backlinks: ['Nessun’altra nota rimanda a {note}.', 'Una nota rimanda a {note}:', '{n} note rimandano a {note}:'],
    times: ['', '', '({n} link)'],
    links: 'Link in {note}:',
    noLinks: 'Non ci sono link in {note}.',
    brokenLink: '(nota inesistente)',
    notesOf: 'Note, {when}:',
    noNotesOf: 'Non ci sono note, {when}.',
    quotesOf: 'Dalle note, {when}:',
    notMentionedIn: 'Le note ({when}) non menzionano {topic}.',
    tasks: ['Non ci sono attività aperte.', "Un'attività aperta:", '{n} attività aperte:'],
    tasksDue: ['Nessuna attività scade ({when}).', "Un'attività scade ({when}):", '{n} attività scadono ({when}):'],
    tasksIn: [
      'Non ci sono attività aperte in {note}.',
      "Un'attività aperta in {note}:",
      '{n} attività aperte in {note}:',
    ],
    moreTasks: '… e altre {n}',
    due: 'scade il {date}',
    whichTask: 'Corrispondono più attività aperte. Indica altre parole:',
    noSuchTask: 'Nessuna attività aperta menziona {task}.',
    created: '{note} è stata creata.',
    added: 'Aggiunto a {note}.',
    renamed: 'Rinominata in {note}.',
    deleted: '{note} è nel cestino.',
    changed: '{note} è stata modificata.',
    ticked: 'Fatto: {task}',
    undone: 'Annullato.',
  },
}
