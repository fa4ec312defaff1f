import type { Language } from './language.js'

const show = '((montre|liste|affiche|trouve|donne|cherche)(-moi)? )?'
const notes = '(toutes )?(les |mes |nos )?(notes|pages|fichiers)'
const the = '((la|ma|cette|notre) (note|page) |le fichier |note )?'
const howMany = 'combien de (notes|pages|fichiers)'
const tasks = '(tâches|todos)( (ouvertes|en cours|restantes|non terminées|à faire|en attente))?'
const journal =
  "(mon |le |la )?(note du jour|note quotidienne|journal|note (d'|de )(?<date>aujourd'hui|hier|demain)|note du (?<date2>\\d{4}-\\d\\d-\\d\\d))( du jour| d'aujourd'hui)?"
const aTask = '(une |la )?(nouvelle )?(tâche|todo):? '
const newNote =
  '(crée|créer|écris|ajoute|fais)(-moi)? (une |la )?(nouvelle )?(note|page) (appelée |nommée |intitulée )?'

export const french: Language = {
  code: 'fr',
  words: `au aux avec ce ces cette combien comment dans de des du elle en est et il ils je la le les leur ma mais mes moi mon ne nos
    notre nous on ou où par pas pour pourquoi qu que quel quelle quelles quels qui quoi sa sans se ses si son sont sur ta tu un une
    vos votre vous à ai ont été faut peut quand appelée nommée intitulée`,
  noteWords: 'note notes page pages document documents carnet coffre',
  frame: `note notes page pages document dit disent écrit écrite noté notée parle parlent mentionne mentionnent décris explique
    expliquer trouve trouver montre cherche rappelle appris besoin veux savoir fait faire marche fonctionne veut dire signifie possible
    façon manière bien bonne meilleure chose choses sorte type`,
  politeBefore:
    "s'il (?:te|vous) pla[iî]t|(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous|je (?:veux|voudrais)|maintenant|notewright",
  politeAfter: "s'il (?:te|vous) pla[iî]t|stp|svp|merci",
  thisNote: 'cette (?:note|page)|la note (?:ouverte|actuelle)|ce fichier',
  command:
    '(?:renomme|renommer|déplace|déplacer|supprime|supprimer|efface|fusionne|trie|range|archive|remplace|copie|exporte|importe) (?:toutes?|tous|chaque) ',
  forms: {
    undo: [
      '(annule|annuler)( (ça|cela|tout|(la |le )?(dernière |dernier )?(modification|changement)))?',
      'reviens en arrière',
    ],
    help: [
      '(bonjour|salut|bonsoir|coucou)( notewright)?',
      'aide(-moi)?',
      'que (peux-tu|sais-tu) faire',
      "qu'est-ce que (tu peux|je peux) faire( ici)?",
      'qui es-tu',
      'comment ça marche',
    ],
    thanks: ['merci( beaucoup| bien)?', '(parfait|super|génial|très bien|au revoir|bravo)'],
    search: [
      '(cherche|recherche|chercher|rechercher)(-moi)?( dans (mes |les )?notes)?:? {query}',
      '(trouve|trouver)(-moi)?( (toutes )?(les |mes )?(notes|pages) (sur|à propos de|qui parlent de))? {query}',
      '(notes|pages) (sur|à propos de) {query}',
    ],
    listTags: [
      `${show}(tous )?(les |mes |nos )?(tags|étiquettes|mots-clés)`,
      "(quels|quelles) (sont (les |mes )?)?(tags|étiquettes)( (existent|ai-je|y a-t-il|est-ce que j'utilise))?",
    ],
    randomNote: [
      `${show}une note (au hasard|aléatoire)( avec (le )?tag {tags})?`,
      `${show}une note (au hasard|aléatoire) (dans|du dossier) {folder}`,
    ],
    taggedNotes: [
      `${show}${notes} (avec|ayant|qui ont) (le |les |l')?(tags?|étiquettes?) {tags}`,
      `${show}${notes} (avec |taguées |étiquetées |tagguées )?(?=#){tags}`,
      `${show}${notes} (taguées|étiquetées|tagguées) {tags}`,
      "quelles notes (ont|portent) (le |l')?(tag|étiquette) {tags}",
    ],
    notesInFolder: [
      `${show}${notes} (dans|du) (le )?(dossier|répertoire) {folder}`,
      `(montre|liste|affiche|donne)(-moi)? ${notes} (dans|de) {folder}`,
      "(quelles notes|qu'est-ce qu'il) y a(-t-il)? dans (le dossier )?{folder}",
    ],
    countTagged: [
      `${howMany} (ont|avec|ai-je avec|portent|y a-t-il avec) (le |l')?(tag |étiquette )?(?=#){tags}`,
      `${howMany} (ont|avec|portent) (le |l')?(tag|étiquette) {tags}`,
    ],
    countAll: [
      `${howMany} (ai-je|y a-t-il|est-ce que j'ai|avons-nous|il y a|j'ai)( en tout| au total| ici| dans le coffre)?`,
      '(nombre|total) de (mes )?notes',
    ],
    countInFolder: [`${howMany} (y a-t-il |sont |ai-je |il y a )?dans (le dossier )?{folder}`],
    countAbout: [
      `${howMany} (ai-je |y a-t-il |j'ai )?(sur|à propos de|parlent de|parlent du|mentionnent|contiennent) {topic}`,
    ],
    backlinks: [
      `(qu'est-ce qui|quelles? (notes?|pages?)|qui) (renvoie|renvoient|pointe|pointent|mène|mènent|fait un lien|font un lien) (vers|à|sur) ${the}{note}`,
      `${show}(les |tous les )?(rétroliens|backlinks|liens entrants) (de|vers|pour) ${the}{note}`,
    ],
    forwardLinks: [
      `(vers quoi|où) (renvoie|pointe|mène) ${the}{note}`,
      `${show}(les |tous les )?liens( sortants)? (de|dans) ${the}{note}`,
    ],
    tasksDue: [
      `${show}(toutes )?(les |mes )?${tasks} (pour|de|dues|prévues|prévues pour|à rendre) {time}`,
      "(qu'est-ce qui|quelles tâches) (est|sont) (dues?|à rendre|prévues?|prévu) (pour )?{time}",
      "(que|qu'est-ce que) (dois-je|je dois|j'ai à) faire {time}",
      `${show}(toutes )?(les |mes )?tâches (?<time2>en retard)`,
    ],
    tasks: [
      `${show}(toutes )?(les |mes )?${tasks} (dans|de) ${the}{note}`,
      `${show}(toutes )?(les |mes )?${tasks}`,
      '(quelles sont|quelles) (les |mes )?tâches( (ouvertes|restantes|en cours|à faire))?( ai-je| y a-t-il)?',
      "(que|qu'est-ce que|qu'est-ce qu'il) (dois-je|je dois|reste-t-il|il reste|reste|me reste-t-il)( encore)? (à )?faire",
      'combien de tâches( ouvertes)? (ai-je|y a-t-il|reste-t-il)',
    ],
    tickTask: [
      '(coche|cocher|termine|terminer) (la )?(tâche )?{task}',
      'marque (la )?(tâche )?{task} comme (faite|terminée|fait|terminé)',
    ],
    readNote: [
      `(ouvre|ouvrir|lis-moi) ${the}{note}`,
      `(lis|lire) (?=(la|ma|cette) (note|page) |\\[\\[|["«“])${the}{note}`,
    ],
    showNote: [`(montre|affiche)(-moi)? (?=(la|ma|cette) (note|page) |\\[\\[|["«“])${the}{note}`],
    recentNotes: [
      `${show}(les |mes )?(dernières notes|notes (récentes|modifiées récemment)|notes les plus récentes)( modifiées)?`,
      "(qu'est-ce qui|quoi) (a changé|de neuf)( récemment)?",
    ],
    notesOfTime: [
      "(qu'est-ce que j'ai|qu'ai-je|que j'ai|j'ai) (écrit|noté|modifié|fait) {time}",
      "(qu'est-ce que j'ai|qu'ai-je) (écrit|noté) {time} sur {topic}",
      "(qu'est-ce que j'ai|qu'ai-je) (écrit|noté) sur {topic} {time}",
      `${show}${notes} (de |du |d'|depuis ){time} (sur|à propos de) {topic}`,
      `${show}${notes} (de |du |d'|depuis ){time}`,
      "(qu'est-ce qui|ce qui) a changé {time}",
    ],
    compose: [
      '(crée|écris|rédige|compose)(-moi)? (une |un )?(nouvelle |petite )?(note|page|résumé|article|texte|essai|brouillon) (sur|à propos de|au sujet de) {topic}',
      '(traduis|reformule|corrige|améliore|raccourcis|rédige) {topic}',
    ],
    createNote: [
      `${newNote}{note} dans (le dossier )?{folder} avec( le (texte|contenu))?:? {content}`,
      `${newNote}{note} avec( le (texte|contenu))?:? {content}`,
      `${newNote}{note} dans le dossier {folder}`,
      `${newNote}{note}`,
      'nouvelle note:? {note}',
    ],
    addToDaily: [
      `(ajoute|écris|note|inscris) ${aTask}{task} (à|dans|sur) ${journal}`,
      `(ajoute|écris|note|inscris) {content} (à|dans|sur) ${journal}`,
    ],
    addToNote: [
      `ajoute ${aTask}{task} (à|dans) ${the}{note}`,
      `(ajoute|écris) {content} (à|dans|à la fin de) ${the}{note} sous (le titre |la section )?{heading}`,
      `(ajoute) {content} (à|dans|à la fin de) ${the}{note}`,
    ],
    renameNote: [`(renomme|renommer) ${the}{note} (en|comme) {target}`],
    moveNote: [
      `(déplace|déplacer) ${the}{note} (dans|vers) (le dossier) {folder}`,
      `(déplace|déplacer) ${the}{note} (dans|vers) {target}`,
    ],
    deletePart: ['(supprime|efface|enlève) {note} (de|dans|du) {place}'],
    deleteNote: [`(supprime|supprimer|efface) ${the}{note}`],
    tagNote: [
      `(tague|taguer|étiquette) ${the}{note} (avec|comme) (le tag |les tags )?{tags}`,
      `ajoute (le tag|les tags|l'étiquette) {tags} à ${the}{note}`,
      `ajoute (?=#){tags} à ${the}{note}`,
    ],
    untagNote: [
      `(enlève|supprime|retire) (le tag|les tags|l'étiquette) {tags} (de|à) ${the}{note}`,
      `(enlève|supprime|retire) (?=#){tags} (de|à) ${the}{note}`,
    ],
    setProperty: [
      `(mets|change|définis) (la propriété |le |la )?{property} de ${the}{note} (à|sur|en) {value}`,
      `(supprime|enlève|retire) la propriété {property} de ${the}{note}`,
    ],
  },
  times: [
    ["aujourd'hui", 'today'],
    ['hier', 'yesterday'],
    ['avant-hier', 'the day before yesterday'],
    ['demain', 'tomorrow'],
    ['en retard', 'overdue'],
    ['(?:de )?(?:la )?semaine (?:dernière|passée)', 'last week'],
    ['cette semaine', 'this week'],
    ['(?:la )?semaine prochaine', 'next week'],
    ['(?:du |le )?mois (?:dernier|passé)', 'last month'],
    ['ce mois(?:-ci)?', 'this month'],
    ['(?:le )?mois prochain', 'next month'],
    ["(?:de )?(?:l')?an(?:née)? (?:dernière?|passée?)", 'last year'],
    ['cette année', 'this year'],
    ['(?:ces |des |les )?(\\d{1,3}) derniers jours', 'last $1 days'],
    ['(?:ces |des |les )?(\\d{1,3}) dernières semaines', 'last $1 weeks'],
    ['(?:ces |des |les )?(\\d{1,3}) derniers mois', 'last $1 months'],
    ['il y a (\\d{1,3}) jours', '$1 days ago'],
  ],
  months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  examples: [
    'ouvre [[{note}]]',
    'quelles notes renvoient vers {note}',
    'notes avec #{tag}',
    'combien de notes dans {folder}',
    'tâches ouvertes',
    "qu'est-ce que j'ai écrit la semaine dernière",
    'ajoute … à la note du jour',
    'renomme {note} en …',
    'tague {note} avec …',
  ],
  say: {
    noModel: "Aucun modèle de langage n'est configuré",
    quotesInstead: '{noModel} : je cite donc vos notes au lieu de répondre avec mes propres mots. {setUp}',
    setUpModel: 'Pour en configurer un : {place}.',
    foundModels: 'Trouvé sur cet ordinateur : {models}. Utilisez-en un avec {use}.',
    andMore: 'et {n} de plus',
    chatOnly:
      "{noModel}. Sans modèle, je peux chercher dans vos notes, les citer et exécuter des demandes simples, mais ce chat n'a pas d'outils. {setUp}",
    help: '{noModel} : je cherche dans vos notes, je les cite et j’exécute des demandes simples. Posez une question, ou par exemple :',
    helpEnd: "Je demande avant toute modification, et {undo} l'annule. Un modèle de langage peut faire plus. {setUp}",
    notUnderstood: 'Sans modèle de langage, je ne comprends pas cette demande. Voici des demandes possibles :',
    needsModel:
      'Écrire un nouveau texte demande un modèle de langage, et aucun n\'est configuré. {setUp} Je peux enregistrer vos propres mots : `crée une note "Nom" avec …`.',
    promptNeedsModel: 'Le prompt /{name} contient des instructions qui demandent un modèle de langage. {setUp}',
    worksWithout: 'Sans modèle, je peux chercher une question dans vos notes ou exécuter ces demandes :',
    welcome: 'Je vous en prie.',
    fromNotes: 'Dans vos notes :',
    nothingAbout: "Je n'ai rien trouvé sur {topic} dans vos notes.",
    nothingAboutBut: "Je n'ai rien trouvé sur {topic} dans vos notes. Ces passages mentionnent {covered} :",
    mayNotAnswer: 'Ces passages mentionnent vos mots, mais ne répondent peut-être pas à la question :',
    tryOtherWords: "Essayez avec moins de mots ou d'autres mots.",
    propertyLabel: 'Propriété',
    or: '{a} ou {b}',
    undoHint: 'Pour annuler : {undo}.',
    nothingToUndo:
      "Je n'ai rien modifié dans ce chat. Pour annuler des modifications antérieures : {undo} ; {history} les liste toutes.",
    notDone: 'Non effectué.',
    deniedByUser: 'Vous avez refusé.',
    noSuchNote: 'Note introuvable : {note}.',
    didYouMean: "Vouliez-vous dire l'une de celles-ci ?",
    whichNote: 'Je ne sais pas de quelle note il s’agit. Nommez-la, par exemple : `{example}`.',
    oneAtATime:
      "Cela ressemble à plusieurs demandes. Sans modèle de langage, je n'en traite qu'une à la fois. Envoyez-les une par une.",
    quoteNames: 'Je ne distingue pas les deux noms dans {text}. Mettez-les entre guillemets : `{example}`.',
    needsAgentMode:
      "Non effectué : il faut deux étapes, et ce mode n'en permet qu'une. Redemandez en mode agent ({mode}).",
    needsTool: "Non effectué : il faut l'outil `{tool}`, qui est désactivé. Pour l'activer : {place}.",
    noToolsInMode: "Non effectué : ce mode ne peut pas appeler l'outil nécessaire. Redemandez en mode agent ({mode}).",
    onlyWholeNotes:
      "Je ne peux supprimer que des notes entières. Si c'est le nom d'une note, mettez-le entre guillemets : `{example}`.",
    tagIsOneWord: 'Un tag est un seul mot, sans espace ni ponctuation. Vouliez-vous dire `#{tag}` ?',
    alreadyExists: 'Non effectué : {path} existe déjà. Complétez-la avec `{example}`, ou choisissez un autre nom.',
    tags: 'Les tags et leur nombre de notes :',
    tagged: 'Notes avec {tags} :',
    noneTagged: "Aucune note n'a {tags}.",
    inFolder: 'Notes dans {folder} :',
    firstInFolder: 'Les {n} premières notes dans {folder} :',
    noneInFolder: "Il n'y a pas de notes dans un dossier {folder}.",
    countAll: ["Il n'y a pas de notes.", 'Il y a une note.', 'Il y a {n} notes.'],
    countInFolder: [
      "Il n'y a pas de notes dans {folder}.",
      'Il y a une note dans {folder}.',
      'Il y a {n} notes dans {folder}.',
    ],
    countTagged: ["Aucune note n'a {tags}.", 'Une note a {tags}.', '{n} notes ont {tags}.'],
    countAbout: [
      'Aucune note ne mentionne {topic}.',
      'Une note mentionne {topic} :',
      '{n} notes mentionnent {topic} :',
    ],
    atLeast: 'au moins {n}',
    backlinks: [
      'Aucune autre note ne renvoie vers {note}.',
      'Une note renvoie vers {note} :',
      '{n} notes renvoient vers {note} :',
    ],
    times: ['', '', '({n} liens)'],
    links: 'Liens dans {note} :',
    noLinks: "Il n'y a pas de liens dans {note}.",
    brokenLink: '(note inexistante)',
    notesOf: 'Notes, {when} :',
    noNotesOf: "Il n'y a pas de notes, {when}.",
    quotesOf: 'Dans les notes, {when} :',
    notMentionedIn: 'Les notes ({when}) ne mentionnent pas {topic}.',
    tasks: ["Il n'y a pas de tâches ouvertes.", 'Une tâche ouverte :', '{n} tâches ouvertes :'],
    tasksDue: [
      "Aucune tâche n'est à faire ({when}).",
      'Une tâche est à faire ({when}) :',
      '{n} tâches sont à faire ({when}) :',
    ],
    tasksIn: [
      "Il n'y a pas de tâches ouvertes dans {note}.",
      'Une tâche ouverte dans {note} :',
      '{n} tâches ouvertes dans {note} :',
    ],
    moreTasks: '… et {n} de plus',
    due: 'pour le {date}',
    whichTask: 'Plusieurs tâches ouvertes correspondent. Donnez plus de mots :',
    noSuchTask: 'Aucune tâche ouverte ne mentionne {task}.',
    created: '{note} est créée.',
    added: 'Ajouté à {note}.',
    renamed: 'Renommée en {note}.',
    deleted: '{note} est dans la corbeille.',
    changed: '{note} est modifiée.',
    ticked: 'Fait : {task}',
    undone: 'Annulé.',
  },
}
