package release

// Rules are the rules that differ between releases or that a feature gate switches. Names and meanings of the fields
// are in the table of descriptions. All fields are booleans, or strings of a type of their own.
type Rules struct {
	// Choice of the node.
	Ties                 Ties
	Balance              Balance
	ImageVolumes         ImageVolumes
	StorageScore         bool
	EmptyNamespacesMatch bool

	// Filters and preemption.
	HopelessFitIsFinal     bool
	MissingDriver          MissingDriver
	DeclaredFeatures       DeclaredFeatures
	AttributesClassMatters bool
	BudgetsAfterViolation  bool
	VictimsWithoutStart    VictimsWithoutStart

	// Plugins of the default configuration.
	DynamicResources DynamicResources
	NodeNameFirst    bool

	// What pods request, and what the API server does to pods.
	PodLevelRequests     bool
	PodLevelDefaults     PodLevelDefaults
	ResizeRequests       ResizeRequests
	TopologyLabelsOnBind bool
	SpreadKeysMerged     bool

	// When pods are tried again.
	AsyncPreemption           bool
	PreBindVictimCanceled     bool
	PreemptorHeld             bool
	CanceledVictimActivates   bool
	TerminatingEvictedAgain   bool
	NominatedBindWakes        bool
	RejectionClearsNomination bool
	GatedNominationCounts     bool
	BackoffCounts             BackoffCounts
	PopFromBackoff            bool
	ActivationAsksGates       bool
	GatedEvents               GatedEvents
	DeletedAntiAffinity       DeletedAntiAffinity
	NominatedCountsAsAssigned bool

	// Messages.
	TaintNamed        bool
	OldExclusiveClaim bool
	ClaimsMessage     bool
	NominationMessage bool
}

// Ties is how one of the nodes of the highest total score is chosen.
type Ties string

// The ways to choose.
const (
	TiesDraw Ties = "draw"
	TiesHeap Ties = "heap"
)

// Balance is what NodeResourcesBalancedAllocation scores.
type Balance string

// What can be scored.
const (
	BalanceState       Balance = "state"
	BalanceImprovement Balance = "improvement"
)

// ImageVolumes is how ImageLocality counts image volumes.
type ImageVolumes string

// The ways to count them.
const (
	ImageVolumesIgnored ImageVolumes = "ignored"
	ImageVolumesSize    ImageVolumes = "size"
	ImageVolumesBoth    ImageVolumes = "sizeAndNumber"
)

// MissingDriver is what NodeVolumeLimits does to a node that lacks the CSI driver of a volume.
type MissingDriver string

// What it can do.
const (
	MissingDriverPasses  MissingDriver = "passes"
	MissingDriverOptIn   MissingDriver = "rejectsIfAsked"
	MissingDriverRejects MissingDriver = "rejects"
)

// DeclaredFeatures are the features that NodeDeclaredFeatures demands of nodes.
type DeclaredFeatures string

// The sets of features.
const (
	FeaturesAbsent     DeclaredFeatures = "absent"
	FeaturesNone       DeclaredFeatures = "none"
	FeaturesOfRestarts DeclaredFeatures = "restartRules"
	FeaturesOfPods     DeclaredFeatures = "restartRulesAndHostNetwork"
)

// VictimsWithoutStart is the order of potential victims that have no start time.
type VictimsWithoutStart string

// The orders.
const (
	WithoutStartReversed  VictimsWithoutStart = "reversed"
	WithoutStartNodeOrder VictimsWithoutStart = "nodeOrder"
)

// DynamicResources is how the plugin of that name is in the default configuration.
type DynamicResources string

// The ways to be there.
const (
	DynamicResourcesAbsent  DynamicResources = "absent"
	DynamicResourcesFilters DynamicResources = "filters"
	DynamicResourcesScores  DynamicResources = "filtersAndScores"
)

// PodLevelDefaults is what the API server fills in of the resources of a pod as a whole.
type PodLevelDefaults string

// What it fills in.
const (
	PodLevelDefaultsNone       PodLevelDefaults = "none"
	PodLevelDefaultsLimited    PodLevelDefaults = "limited"
	PodLevelDefaultsContainers PodLevelDefaults = "fromContainers"
)

// ResizeRequests is what a pod requests while its resources are resized.
type ResizeRequests string

// The ways to count.
const (
	ResizePerContainer ResizeRequests = "perContainer"
	ResizeWithPodLevel ResizeRequests = "perContainerAndPodLevel"
	ResizePerPod       ResizeRequests = "perPod"
)

// BackoffCounts is what doubles the backoff of a pod.
type BackoffCounts string

// What counts.
const (
	BackoffAttempts   BackoffCounts = "attempts"
	BackoffRejections BackoffCounts = "rejections"
)

// GatedEvents are the events after which a gated pod is looked at again.
type GatedEvents string

// The sets of events.
const (
	GatedAll         GatedEvents = "all"
	GatedOwn         GatedEvents = "own"
	GatedOwnAndFlush GatedEvents = "ownAndFlush"
)

// DeletedAntiAffinity is which anti-affinity lets a deleted pod wake a waiting one.
type DeletedAntiAffinity string

// The rules.
const (
	AntiAffinityOfWaiting DeletedAntiAffinity = "ofWaiting"
	AntiAffinityAllTerms  DeletedAntiAffinity = "allOfDeleted"
	AntiAffinityAnyTerm   DeletedAntiAffinity = "anyOfDeleted"
)

func rules1_33() Rules {
	return Rules{
		Ties: TiesDraw, Balance: BalanceState, ImageVolumes: ImageVolumesIgnored, MissingDriver: MissingDriverPasses,
		DeclaredFeatures: FeaturesAbsent, BudgetsAfterViolation: true, VictimsWithoutStart: WithoutStartReversed,
		DynamicResources: DynamicResourcesAbsent,
		AsyncPreemption:  true,
		PodLevelDefaults: PodLevelDefaultsNone, ResizeRequests: ResizePerContainer,
		TerminatingEvictedAgain: true, NominatedBindWakes: true, BackoffCounts: BackoffAttempts, PopFromBackoff: true,
		ActivationAsksGates: true, GatedEvents: GatedAll, DeletedAntiAffinity: AntiAffinityOfWaiting,
		TaintNamed: true, OldExclusiveClaim: true,
	}
}

func rules1_34() Rules {
	r := rules1_33()
	r.EmptyNamespacesMatch = true
	r.HopelessFitIsFinal = true
	r.AttributesClassMatters = true
	r.DynamicResources = DynamicResourcesFilters
	r.PodLevelRequests, r.PodLevelDefaults = true, PodLevelDefaultsLimited
	r.SpreadKeysMerged = true
	r.BackoffCounts, r.GatedEvents = BackoffRejections, GatedOwn
	r.TaintNamed, r.OldExclusiveClaim, r.ClaimsMessage = false, false, true
	return r
}

func rules1_35() Rules {
	r := rules1_34()
	r.Ties = TiesHeap
	r.DynamicResources = DynamicResourcesScores
	r.TopologyLabelsOnBind = true
	r.DeclaredFeatures = FeaturesNone
	r.PreemptorHeld = true
	r.TerminatingEvictedAgain, r.NominatedBindWakes, r.RejectionClearsNomination, r.ActivationAsksGates = false, false, true, false
	return r
}

func rules1_36() Rules {
	r := rules1_35()
	r.Balance = BalanceImprovement
	r.ResizeRequests = ResizeWithPodLevel
	r.ImageVolumes = ImageVolumesSize
	r.DeclaredFeatures = FeaturesOfPods
	r.PreBindVictimCanceled = true
	r.DeletedAntiAffinity, r.NominatedCountsAsAssigned = AntiAffinityAllTerms, true
	return r
}

func rules1_37() Rules {
	r := rules1_36()
	r.ImageVolumes = ImageVolumesBoth
	r.StorageScore = true
	r.EmptyNamespacesMatch = false
	r.MissingDriver = MissingDriverOptIn
	r.BudgetsAfterViolation, r.VictimsWithoutStart = false, WithoutStartNodeOrder
	r.NodeNameFirst = true
	r.PodLevelDefaults, r.ResizeRequests = PodLevelDefaultsContainers, ResizePerPod
	r.CanceledVictimActivates, r.GatedNominationCounts = true, true
	r.GatedEvents, r.DeletedAntiAffinity = GatedOwnAndFlush, AntiAffinityAnyTerm
	r.ClaimsMessage, r.NominationMessage = false, true
	return r
}
